import type { Page } from 'playwright/test';

/** What the page's list says about a model. */
export async function listed(page: Page, model: string) {
  const models = await page.evaluate(() => window.v1.models.list());
  return models.find(({ id }) => id === model);
}

export function load(page: Page, model: string): Promise<void> {
  return page.evaluate((id) => window.v1.models.load(id), model);
}

export function unload(page: Page, model: string): Promise<void> {
  return page.evaluate((id) => window.v1.models.unload(id), model);
}

export function install(page: Page, model: string): Promise<void> {
  return page.evaluate((id) => window.v1.models.install(id), model);
}

export function remove(page: Page, model: string): Promise<void> {
  return page.evaluate((id) => window.v1.models.remove(id), model);
}
