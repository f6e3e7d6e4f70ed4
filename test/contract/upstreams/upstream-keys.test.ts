import type OpenAI from 'openai';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BIG, openForwardingApi, SECRET, type ForwardingApi } from './forwarding-api.ts';

const HELLO = [{ role: 'user' as const, content: 'Hi' }];

let site: ForwardingApi;
let openai: OpenAI;
let key: string;

beforeEach(async () => {
  site = await openForwardingApi();
  openai = await site.client();
  key = String(openai.apiKey);
  await ask(BIG);
});

afterEach(() => site.cluster.close());

function ask(model: string) {
  return openai.chat.completions.create({ model, messages: HELLO });
}

/** The stored key that the client sends, changed. */
async function changeKey(change: { upstreams?: []; expiresAt?: number }): Promise<void> {
  const { keys } = site.api;
  const [stored] = (await keys.list()).filter(({ label }) => label === 'page');
  await keys.revoke(key);
  await keys.add(key, { ...stored, label: 'page', ...change });
}

test('a key that was revoked after its latest request sends nothing', async () => {
  await site.api.keys.revoke(key);
  await expect(ask(BIG)).rejects.toMatchObject({ status: 401 });
  expect(site.forwarded()).toHaveLength(1);
});

test('so does one that has expired, and one that must stay on the device now', async () => {
  await changeKey({ expiresAt: Date.now() - 1 });
  await expect(ask(BIG)).rejects.toMatchObject({ status: 401 });
  await changeKey({ upstreams: [], expiresAt: Date.now() + 60_000 });
  await expect(ask(BIG)).rejects.toMatchObject({ status: 404 });
  expect(site.forwarded()).toHaveLength(1);
});

test('the headers are asked for once for each request', async () => {
  const tokens = ['Bearer two', 'Bearer three'];
  site.headersOf = () => Promise.resolve({ authorization: tokens.shift() ?? '' });
  await ask(BIG);
  await ask(BIG);
  const sent = site.forwarded().map(({ headers }) => headers.authorization);
  expect(sent).toEqual([SECRET, 'Bearer two', 'Bearer three']);
});
