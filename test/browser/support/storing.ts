import type { BrowserContext, Page } from 'playwright/test';
import { expect, openStarted, test as base } from './fixtures.ts';
import { install } from './models.ts';
import { EMBEDDER, withTestSite, type TestSite } from './site.ts';

export const test = base.extend<object, { library: TestSite }>({
  library: [
    ({}, use) => withTestSite(['tiny-chat', 'tiny-embed', 'tiny-rerank'], use),
    { scope: 'worker' },
  ],
});

export const ANIMALS = 'The cat sleeps on the sofa all day, and the kitten naps beside it.';
export const WEATHER = 'Rain is expected tomorrow, with strong wind at the coast.';

export async function opened(profile: BrowserContext, { url }: TestSite): Promise<Page> {
  const page = await openStarted(profile, url, { files: true });
  await install(page, EMBEDDER);
  return page;
}

/** Sends a request with the page's key. */
export function ask<T>(page: Page, path: string, body?: object, method = body ? 'POST' : 'GET') {
  return page.evaluate(
    async ([at, sent, how]): Promise<T> => {
      const { baseURL, apiKey } = window.v1;
      const response = await fetch(baseURL + at, {
        method: how,
        headers: { authorization: `Bearer ${apiKey}` },
        ...(sent && { body: JSON.stringify(sent) }),
      });
      const answer: T = await response.json();
      return answer;
    },
    [path, body, method] as const,
  );
}

/** Stores a file. @returns its id */
export function upload(page: Page, name: string, content: string): Promise<string> {
  return page.evaluate(
    async ([filename, text]) => {
      const { baseURL, apiKey } = window.v1;
      const form = new FormData();
      form.append('file', new File([text], filename));
      form.append('purpose', 'assistants');
      const headers = { authorization: `Bearer ${apiKey}` };
      const stored = await fetch(`${baseURL}/files`, { method: 'POST', headers, body: form });
      const { id }: { id: string } = await stored.json();
      return id;
    },
    [name, content] as const,
  );
}

export interface Store {
  id: string;
  status: string;
  usage_bytes: number;
  file_counts: { completed: number; failed: number; total: number };
}

export const counts = async (page: Page, id: string) =>
  (await ask<Store>(page, `/vector_stores/${id}`)).file_counts;

/** The names of the files with the best chunks. */
export async function found(page: Page, id: string, query: string): Promise<string[]> {
  const { data } = await ask<{ data: { filename: string; score: number }[] }>(
    page,
    `/vector_stores/${id}/search`,
    { query },
  );
  expect(data.every(({ score }) => score >= 0 && score <= 1)).toBe(true);
  return data.map(({ filename }) => filename);
}
