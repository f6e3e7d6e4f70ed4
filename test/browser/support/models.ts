import { expect, type Page } from 'playwright/test';
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

/** Adds a file as if it had been dropped from a file manager. Returns the model’s id. */
export async function addDropped(page: Page, path: string): Promise<string> {
  await page.evaluate(() => {
    const added = new Promise<string>((resolve, reject) => {
      document.addEventListener('dragover', (event) => event.preventDefault());
      document.addEventListener('drop', (event) => {
        event.preventDefault();
        const [item] = event.dataTransfer?.items ?? [];
        const found = item as unknown as { getAsFileSystemHandle(): Promise<FileSystemFileHandle> };
        found
          .getAsFileSystemHandle()
          .then((handle) => window.v1.models.add(handle))
          .then(resolve, reject);
      });
    });
    Object.assign(window, { added });
  });
  const devtools = await page.context().newCDPSession(page);
  const data = { items: [], files: [path], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await devtools.send('Input.dispatchDragEvent', { type, x: 50, y: 50, data });
  }
  await devtools.detach();
  return page.evaluate(() => (window as unknown as { added: Promise<string> }).added);
}
