import type { DrivenPage } from './driven-page.ts';

/** What the page's list says about a model. */
export async function listed(page: DrivenPage, model: string) {
  const models = await page.evaluate(() => window.v1.models.list());
  return models.find(({ id }) => id === model);
}

export function load(page: DrivenPage, model: string): Promise<void> {
  return page.evaluate((id) => window.v1.models.load(id), model);
}

export function unload(page: DrivenPage, model: string): Promise<void> {
  return page.evaluate((id) => window.v1.models.unload(id), model);
}

export function install(page: DrivenPage, model: string): Promise<void> {
  return page.evaluate((id) => window.v1.models.install(id), model);
}

export function remove(page: DrivenPage, model: string): Promise<void> {
  return page.evaluate((id) => window.v1.models.remove(id), model);
}
