import { expect } from 'playwright/test';
import type { DrivenPage } from './browser/driven-page.ts';
import { TINY } from './site.ts';

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

/** The engine's metrics, in Prometheus' text format. */
export function metrics(page: DrivenPage): Promise<string> {
  return page.evaluate(async () => {
    const headers = { authorization: `Bearer ${window.v1.apiKey}` };
    return (await window.apiFetch(`${window.v1.baseURL}/metrics`, { headers })).text();
  });
}

/** Returns when this many requests for tiny-chat wait for their turn. */
export async function untilWaiting(page: DrivenPage, count: number): Promise<void> {
  const line = `_requests_waiting{model="${TINY}"} ${count}\n`;
  await expect.poll(() => metrics(page)).toContain(line);
}
