import { createOpenAI } from '@ai-sdk/openai';
import { uploadFile } from 'ai';
import { APIError } from 'openai';
import { describe, expect, test } from 'vitest';
import { openApi, ORIGIN, type TestApi } from '../support/api.ts';
import { browserFetch } from '../support/browser-fetch.ts';
import { limited } from '../support/limited-key.ts';
import { errorOf, json } from '../support/read.ts';

const SITE = { files: { owner: 'site' } } as const;

/** The API with a key of a page whose site stores files, and the openai package with that key. */
async function storing(rights = {}) {
  const api = await openApi();
  const { key, headers, id } = await limited(api, { ...SITE, ...rights });
  return { api, key, id, headers, client: api.client({ apiKey: key, maxRetries: 0 }) };
}

const text = (content: string, name = 'a.txt') => new File([content], name, { type: 'text/plain' });

function form(fields: Record<string, string | Blob>): FormData {
  const made = new FormData();
  for (const [name, value] of Object.entries(fields)) made.append(name, value);
  return made;
}

const upload = (api: TestApi, headers: HeadersInit, body: BodyInit) =>
  api.fetch('/files', { method: 'POST', headers, body });

test('the openai package stores, finds, lists, reads and deletes a file', async () => {
  const { client } = await storing();
  const expires_after = { anchor: 'created_at', seconds: 3600 } as const;
  const file = text('Refunds take five days.');
  const made = await client.files.create({ file, purpose: 'assistants', expires_after });
  expect(made).toEqual({
    id: expect.stringMatching(/^file-[0-9a-f]{32}$/),
    object: 'file',
    bytes: 23,
    created_at: expect.any(Number),
    filename: 'a.txt',
    purpose: 'assistants',
    status: 'processed',
    expires_at: made.created_at + 3600,
  });
  expect(await client.files.retrieve(made.id)).toEqual(made);
  expect(await client.files.waitForProcessing(made.id)).toEqual(made);
  const list = await client.files.list({ purpose: 'assistants', limit: 10, order: 'asc' });
  expect(list.data).toEqual([made]);
  const content = await client.files.content(made.id);
  expect(content.headers.get('content-type')).toBe('application/octet-stream');
  expect(content.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''a.txt");
  expect(await content.text()).toBe('Refunds take five days.');
  expect(await client.files.delete(made.id)).toEqual({
    id: made.id,
    object: 'file',
    deleted: true,
  });
  await expect(client.files.retrieve(made.id)).rejects.toMatchObject({ status: 404 });
  expect((await client.files.list()).data).toEqual([]);
});

test('the AI SDK stores a file', async () => {
  const { api, key, client } = await storing();
  const provider = createOpenAI({
    baseURL: `${ORIGIN}/v1`,
    apiKey: key,
    fetch: browserFetch(api.app),
  });
  const data = new TextEncoder().encode('Refunds take five days.');
  const { providerReference } = await uploadFile({
    api: provider,
    data,
    mediaType: 'text/plain',
    filename: 'a.txt',
  });
  const { data: files } = await client.files.list();
  expect(files.map(({ id }) => id)).toEqual([providerReference['openai']]);
});

test('a list is read page by page, the newest files first', async () => {
  const { client } = await storing();
  for (const name of ['a', 'b', 'c']) {
    await client.files.create({ file: text(name, name), purpose: 'user_data' });
  }
  const names: string[] = [];
  for await (const { filename } of client.files.list({ limit: 2 })) names.push(filename);
  expect(names).toEqual(['c', 'b', 'a']);
  expect((await client.files.list({ purpose: 'vision' })).data).toEqual([]);
});

test('nothing is stored unless the site says so', async () => {
  const api = await openApi();
  const refused = { status: 403, code: 'files_not_enabled', param: null };
  const asked = [
    await upload(api, { authorization: `Bearer ${api.key}` }, form({ file: text('a') })),
    await api.fetch('/files'),
    await api.fetch('/files/file-1'),
    await api.fetch('/files/file-1/content'),
    await api.fetch('/files/file-1', { method: 'DELETE' }),
  ];
  for (const response of asked) expect(await errorOf(response)).toMatchObject(refused);
});

test('keys see the files of their owner only', async () => {
  const { api, client, headers } = await storing();
  const { id } = await client.files.create({ file: text('a'), purpose: 'assistants' });
  const own = await limited(api, { files: {} });
  const asked = [
    await api.fetch(`/files/${id}`, { headers: own.headers }),
    await api.fetch(`/files/${id}/content`, { headers: own.headers }),
    await api.fetch(`/files/${id}`, { method: 'DELETE', headers: own.headers }),
  ];
  for (const response of asked) {
    expect(await errorOf(response)).toMatchObject({ status: 404, code: null, param: 'file_id' });
  }
  expect(await json(await api.fetch('/files', { headers: own.headers }))).toEqual({
    object: 'list',
    data: [],
    first_id: null,
    last_id: null,
    has_more: false,
  });
  const page = await limited(api, SITE);
  expect((await api.fetch(`/files/${id}`, { headers: page.headers })).status).toBe(200);
  const elsewhere = await limited(api, { ...SITE, endpoints: ['embeddings'] });
  const refused = await api.fetch('/files', { headers: elsewhere.headers });
  expect(await errorOf(refused)).toMatchObject({ status: 403, code: 'endpoint_not_allowed' });
  expect((await api.fetch(`/files/${id}`, { headers })).status).toBe(200);
});

describe('files end', () => {
  test('when they expire, whether or not they are swept already', async () => {
    const { api, client } = await storing();
    const expires_after = { anchor: 'created_at', seconds: 3600 } as const;
    const { id } = await client.files.create({ file: text('a'), purpose: 'vision', expires_after });
    const kept = await client.files.create({ file: text('b'), purpose: 'vision' });
    api.engine.files.later = 3_600_001;
    await expect(client.files.retrieve(id)).rejects.toMatchObject({ status: 404 });
    expect((await client.files.list()).data).toEqual([kept]);
    await api.engine.files.stored.sweep(new Set());
    api.engine.files.later = 0;
    await expect(client.files.retrieve(id)).rejects.toMatchObject({ status: 404 });
    expect((await client.files.list()).data).toEqual([kept]);
  });

  test('with the key that stored them', async () => {
    const { api, client: page } = await storing();
    const { key, id: owner } = await limited(api, { files: {} });
    const client = api.client({ apiKey: key });
    const shared = await page.files.create({ file: text('a'), purpose: 'assistants' });
    const own = await client.files.create({ file: text('b'), purpose: 'assistants' });
    await api.engine.files.stored.sweep(new Set([owner]));
    expect((await client.files.list()).data).toEqual([own]);
    await api.engine.files.stored.sweep(new Set());
    expect((await client.files.list()).data).toEqual([]);
    expect((await page.files.list()).data).toEqual([shared]);
  });
});

describe('the disk is full', () => {
  const full = { status: 500, code: 'storage_full' };

  test('at the number of bytes that the site allows, deleted ones not counted', async () => {
    const { client } = await storing({ files: { owner: 'site', maxBytes: 10 } });
    const { id } = await client.files.create({ file: text('12345678'), purpose: 'vision' });
    const another = () => client.files.create({ file: text('123'), purpose: 'vision' });
    await expect(another()).rejects.toMatchObject(full);
    await client.files.delete(id);
    expect(await another()).toMatchObject({ bytes: 3 });
  });

  test('at a fifth of what the browser gives, all owners together', async () => {
    const { api, client } = await storing();
    api.engine.files.quota = 50;
    await client.files.create({ file: text('12345678'), purpose: 'vision' });
    const { key } = await limited(api, { files: {} });
    const other = api.client({ apiKey: key, maxRetries: 0 });
    const refused = other.files.create({ file: text('123'), purpose: 'vision' });
    await expect(refused).rejects.toMatchObject(full);
    await expect(refused).rejects.toBeInstanceOf(APIError);
  });
});

describe('bad input', () => {
  const file = text('a');
  const cases: [name: string, fields: Record<string, string | Blob>, error: object][] = [
    ['no file', { purpose: 'vision' }, { param: 'file' }],
    ['a file that is text', { file: 'a', purpose: 'vision' }, { param: 'file' }],
    ['an empty file', { file: text(''), purpose: 'vision' }, { param: 'file' }],
    ['no purpose', { file }, { param: 'purpose' }],
    ['an unknown purpose', { file, purpose: 'fun' }, { param: 'purpose', code: null }],
    ...['batch', 'fine-tune', 'evals'].map((purpose): (typeof cases)[number] => [
      `the purpose ${purpose}`,
      { file, purpose },
      { param: 'purpose', code: 'unsupported_value' },
    ]),
    [
      'another anchor',
      { file, purpose: 'vision', 'expires_after[anchor]': 'now', 'expires_after[seconds]': '3600' },
      { param: 'expires_after[anchor]' },
    ],
    ...['3599', '2592001', '1e4', ''].map((seconds): (typeof cases)[number] => [
      `'${seconds}' seconds`,
      {
        file,
        purpose: 'vision',
        'expires_after[anchor]': 'created_at',
        'expires_after[seconds]': seconds,
      },
      { param: 'expires_after[seconds]' },
    ]),
  ];

  test.each(cases)('%s', async (_, fields, error) => {
    const { api, headers } = await storing();
    const refused = await upload(api, headers, form(fields));
    expect(await errorOf(refused)).toMatchObject({ status: 400, ...error });
  });

  test('JSON in the place of a form', async () => {
    const { api, headers } = await storing();
    expect(await errorOf(await upload(api, headers, '{}'))).toMatchObject({ status: 400 });
  });

  test('a file of more than 64 MiB', async () => {
    const { api, headers } = await storing();
    const large = new File([new Uint8Array(64 * 1024 ** 2 + 1)], 'a');
    const refused = await upload(api, headers, form({ file: large, purpose: 'vision' }));
    expect(await errorOf(refused)).toMatchObject({ status: 413, code: 'request_too_large' });
  });

  test.each(['limit=0', 'limit=10001', 'limit=a', 'order=up'])('a list with %s', async (query) => {
    const { api, headers } = await storing();
    const param = query.split('=')[0];
    const refused = await api.fetch(`/files?${query}`, { headers });
    expect(await errorOf(refused)).toMatchObject({ status: 400, param });
  });
});

test('a file without a name is stored', async () => {
  const { api, headers } = await storing();
  const stored = await upload(api, headers, form({ file: new Blob(['a']), purpose: 'vision' }));
  expect(await json(stored)).toMatchObject({ filename: 'blob', bytes: 1 });
});
