import type OpenAI from 'openai';
import { catalogEntries, EMBEDDER, openApi, type TestApi } from '../support/api.ts';
import { limited } from '../support/limited-key.ts';

export const SITE = { files: { owner: 'site' } } as const;
export const REFUNDS = 'Refunds take five days. Write to us with the number of your order.';
export const HOURS = 'The shop opens at nine and closes at six, also on Saturdays.';

export interface Storing {
  api: TestApi;
  client: OpenAI;
  headers: { authorization: string };
}

/** The API of a site that stores files and has an embedder. */
export async function storing(models = [EMBEDDER]): Promise<Storing> {
  const api = await openApi();
  api.engine.files.models = catalogEntries().filter(({ id }) => models.includes(id));
  const { key, headers } = await limited(api, SITE);
  return { api, headers, client: api.client({ apiKey: key, maxRetries: 0 }) };
}

export const text = (content: string, name = 'a.txt') =>
  new File([content], name, { type: 'text/plain' });
export const stored = (client: OpenAI, content: string, name?: string) =>
  client.files.create({ file: text(content, name), purpose: 'assistants' });

/** A store with these files, all indexed. */
export async function filled(given: Storing, contents: Record<string, string>, rest: object = {}) {
  const { client } = given;
  const store = await client.vectorStores.create({ name: 'docs', ...rest });
  for (const [name, content] of Object.entries(contents)) {
    await client.vectorStores.files.uploadAndPoll(store.id, text(content, name));
  }
  return store.id;
}

/** POSTs a body with the key of the site. */
export const post = ({ api, headers }: Storing, path: string, body: unknown) =>
  api.post(path, body, { headers: { ...headers, 'content-type': 'application/json' } });
