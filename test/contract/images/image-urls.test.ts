import { beforeEach, expect, test, vi } from 'vitest';
import { MODEL, openApi, ORIGIN, type TestApi } from '../support/api.ts';
import { errorOf, json } from '../support/read.ts';
import { BYTES, DATA, PNG, serveImages } from './site-images.ts';

const site = serveImages();
let api: TestApi;

beforeEach(async () => {
  api = await openApi({ sees: true });
});

const part = (url: string) => ({ type: 'image_url', image_url: { url } });
const chat = (...content: unknown[]) => ({ model: MODEL, messages: [{ role: 'user', content }] });

const ask = (url: string) => api.post('/chat/completions', chat(part(url)));

test.each(['/cat.png', './cat.png', 'cat.png', `${ORIGIN}/cat.png`])(
  '%s is fetched once, without cookies, and not from elsewhere',
  async (url) => {
    expect((await ask(url)).status).toBe(200);
    expect(api.engine.last.job.prompt).toMatchObject({
      messages: [{ images: [{ file: BYTES, detail: 'auto' }] }],
    });
    expect(site.fetched).toMatchObject([
      [`${ORIGIN}/cat.png`, { redirect: 'error', credentials: 'omit' }],
    ]);
  },
);

test.each([
  'https://example.com/a.png',
  '//example.com/a.png',
  'http://localhost:4174/cat.png',
  'https://localhost:4173/cat.png',
  'http://me:secret@localhost:4173/cat.png',
  'http://localhost:4173@example.com/cat.png',
  'ftp://localhost:4173/cat.png',
  'file:///etc/passwd',
  'blob:http://localhost:4173/0b8a',
  'http://',
  'javascript:alert(1)',
  `${ORIGIN}/v1/models`,
  '/v1/models',
  'v1',
  './a/../v1/../v1/models',
])('%s is not fetched', async (url) => {
  expect(await errorOf(await ask(url))).toMatchObject({
    status: 400,
    type: 'invalid_request_error',
    code: 'image_url_not_allowed',
    param: 'messages[0].content[0].image_url',
  });
  expect(site.fetched).toEqual([]);
  expect(api.engine.runs).toEqual([]);
});

const mixedCase = DATA.replace(/^data:/, 'DaTa:').replace('base64', 'BASE64');
const percentEncoded = `data:image/png;base64,${encodeURIComponent(PNG)}`;
const allEncoded = `data:image/png;base64,${PNG.replaceAll(/[^]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`)}`;

test.each([mixedCase, DATA.replace('data', 'DATA'), ` ${DATA}\n`, percentEncoded, allEncoded])(
  '%s is an image',
  async (url) => {
    expect((await ask(url)).status).toBe(200);
    expect(api.engine.last.job.prompt).toMatchObject({ messages: [{ images: [{ file: BYTES }] }] });
    expect(site.fetched).toEqual([]);
  },
);

test.each([
  PNG,
  '/9j/4AAQSkZJRgABAQAAAQABAAD',
  `data:image/png,${PNG}`,
  `data:image/png;base64,${PNG}!`,
  'data:image/png;base64,a',
  'data:',
  'data:image/png;base64,%',
  'data:image/png;base64,%FF',
  'a'.repeat(2_049),
])('%s is no image, and is sent nowhere', async (url) => {
  expect(await errorOf(await ask(url))).toMatchObject({
    status: 400,
    code: 'invalid_image',
    param: 'messages[0].content[0].image_url',
  });
  expect(site.fetched).toEqual([]);
});

test('what is not there, or redirects, is no image', async () => {
  const failing = () => {
    throw new TypeError('unexpected redirect');
  };
  site.files.set(`${ORIGIN}/elsewhere.png`, failing);
  for (const [url, why] of [
    ['/dog.png', 'status 404'],
    ['/elsewhere.png', 'unexpected redirect'],
  ] as const) {
    expect(await errorOf(await ask(url))).toMatchObject({
      status: 400,
      code: 'invalid_image',
      message: `'messages[0].content[0].image_url' could not be fetched: ${why}.`,
    });
  }
});

test('a request may have 64 images and 32 MiB of them', async () => {
  const many = (count: number) => chat(...Array.from({ length: count }, () => part(DATA)));
  expect((await api.post('/chat/completions', many(64))).status).toBe(200);
  expect(await errorOf(await api.post('/chat/completions', many(65)))).toMatchObject({
    status: 400,
    code: 'invalid_image',
    param: 'messages[0].content[64].image_url',
  });
  site.files.set(`${ORIGIN}/large.png`, () => new Response(new Uint8Array(20 * 2 ** 20)));
  expect((await ask('/large.png')).status).toBe(200);
  const twice = chat(part('/large.png'), part('/large.png'));
  expect(await errorOf(await api.post('/chat/completions', twice))).toMatchObject({
    status: 400,
    code: 'invalid_image',
    param: 'messages[0].content[1].image_url',
  });
});

/** How each API shows images by their addresses, and how its errors name one of them. */
const APIS = [
  {
    path: '/chat/completions',
    body: (urls: string[]) => chat(...urls.map(part)),
    param: (place: number) => `messages[0].content[${place}].image_url`,
  },
  {
    path: '/responses',
    body: (urls: string[]) => {
      const content = urls.map((image_url) => ({ type: 'input_image', image_url }));
      return { model: MODEL, input: [{ role: 'user', content }] };
    },
    param: (place: number) => `input[0].content[${place}].image_url`,
  },
  {
    path: '/messages',
    body: (urls: string[]) => {
      const content = urls.map((url) => ({ type: 'image', source: { type: 'url', url } }));
      return { model: MODEL, max_tokens: 9, messages: [{ role: 'user', content }] };
    },
    param: (place: number) => `messages[0].content[${place}].source.url`,
  },
];

test.each(APIS)(
  '$path names the image that is one too many, too large or broken',
  async ({ path, body, param }) => {
    site.files.set(`${ORIGIN}/large.png`, () => new Response(new Uint8Array(20 * 2 ** 20)));
    const many = Array.from({ length: 65 }, () => DATA);
    for (const [urls, place, why] of [
      [many, 64, 'is one image too many: a request may have 64.'],
      [['/large.png', '/large.png'], 1, 'is too large: all images may have 33554432 bytes.'],
      [[DATA, `${DATA}!`], 1, 'is not valid base64.'],
    ] as const) {
      const { error, ...rest } = await read(await api.post(path, body([...urls])));
      expect(error).toMatchObject({
        type: 'invalid_request_error',
        code: 'invalid_image',
        param: param(place),
        message: expect.stringContaining(why),
      });
      // Anthropic's clients read this one, too.
      expect(rest.type).toBe(path === '/messages' ? 'error' : undefined);
    }
    expect(api.engine.runs).toEqual([]);
  },
);

async function read(response: Response) {
  expect(response.status).toBe(400);
  return json<{ error: object; type?: string }>(response);
}

test('a client that hangs up stops the fetch', async () => {
  const started = Promise.withResolvers<AbortSignal>();
  vi.stubGlobal('fetch', (_: string, { signal }: RequestInit) => {
    if (signal) started.resolve(signal);
    return new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason));
    });
  });
  const hanging = new AbortController();
  const whole = await openApi({ sees: true, hasSignals: true });
  const { signal } = hanging;
  const body = JSON.stringify({ ...chat(part('/cat.png')), stream: true });
  const request = new Request(`${ORIGIN}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${whole.key}` },
    body,
    signal,
  });
  const answer = whole.app(request).catch(() => undefined);
  const fetching = await started.promise;
  hanging.abort();
  await vi.waitFor(() => expect(fetching.aborted).toBe(true));
  await answer;
  expect(whole.engine.runs).toEqual([]);
});
