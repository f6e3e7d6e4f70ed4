import { describe, expect, test, vi } from 'vitest';
import { signUrl } from '../../../src/core/keys/signed-url.ts';
import { speechUrl } from '../../../sw/speech/speech-url.ts';
import type { SpeechRequest } from '../../../src/page/api/api.ts';
import { createKey } from '../../../src/core/keys/key-format.ts';
import { serverError } from '../../../src/core/errors/errors.ts';
import type { Grace } from '../../../sw/road/running-job.ts';
import { HUB_MODEL, MODEL, openApi, ORIGIN, SPEECH_MODEL, type TestApi } from '../support/api.ts';
import { errorOf } from '../support/read.ts';
import { audio, HANG, spoken } from '../support/test-engine.ts';

const SPEECH: SpeechRequest = { model: SPEECH_MODEL, input: 'Grüezi & “hi” 👋', voice: 'ann' };
/** The bytes of the file are 1 to 6 while it is spoken. Its final header is the two bytes 9 and 8. */
const WHOLE = [9, 8, 3, 4, 5, 6];
const STEPS = [audio(1, 2, 3), audio(4, 5), audio(6), spoken(9, 8)];

async function openListener(request = SPEECH, root = '/', graceMs?: Grace) {
  const api = await openApi({ root, ...(graceMs && { graceMs }) });
  api.engine.alwaysSpeak(...STEPS);
  const page = { base: new URL(root, ORIGIN).href, key: api.key, hasServiceWorker: true };
  const url = await speechUrl(page, request);
  return { api, url, get: (range?: string, init?: RequestInit) => listen(api, url, range, init) };
}

/** A request as an `<audio>` element sends it: without a key. */
function listen(api: TestApi, url: string, range?: string, init?: RequestInit): Promise<Response> {
  return api.app(new Request(url, { headers: range === undefined ? {} : { range }, ...init }));
}

async function bytesOf(response: Response): Promise<number[]> {
  return [...new Uint8Array(await response.arrayBuffer())];
}

describe('a signed URL', () => {
  test('speaks its text, and needs no key', async () => {
    const { api, get } = await openListener({ ...SPEECH, speed: 1.5, response_format: 'mp3' });
    const response = await get();
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('audio/mpeg');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await bytesOf(response)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(api.engine.lastSpeech.job).toMatchObject({
      text: 'Grüezi & “hi” 👋',
      voice: 'ann',
      speed: 1.5,
      format: 'mp3',
      language: 'en-US',
    });
  });

  test('is absolute, below a sub-path too, and does not contain the key', async () => {
    const { api, url, get } = await openListener(SPEECH, '/repo/');
    expect(url).toMatch(/^http:\/\/localhost:4173\/repo\/v1\/audio\/speech\?/);
    expect(url).not.toContain(api.key);
    expect((await get()).status).toBe(200);
  });

  test.each([
    ['input', 'Something else'],
    ['model', MODEL],
    ['voice', 'bob'],
    ['speed', '2'],
    ['expires', '99999999999'],
    ['signature', '00'],
    ['signature', ''],
    ['key', '0'.repeat(64)],
    ['key', ''],
  ])('is refused with another %s (%s)', async (name, value) => {
    const { api, url } = await openListener();
    const changed = new URL(url);
    changed.searchParams.set(name, value);
    const error = await errorOf(await listen(api, changed.href));
    expect(error).toMatchObject({ status: 401, code: 'invalid_api_key' });
    expect(api.engine.speeches).toEqual([]);
  });

  test('expires after half an hour', async () => {
    const { api, url } = await openListener();
    const plain = new URL(url);
    for (const name of ['key', 'expires', 'signature']) plain.searchParams.delete(name);
    const at = async (minutes: number) =>
      (await listen(api, (await signUrl(plain, api.key, Date.now() - minutes * 60_000)).href))
        .status;
    expect([await at(29), await at(31)]).toEqual([200, 401]);
  });

  test('is refused when its key is revoked', async () => {
    const { api, get } = await openListener();
    expect((await get()).status).toBe(200);
    await api.keys.revoke(api.key);
    expect((await get()).status).toBe(401);
  });

  test('has the rights of its key', async () => {
    const { api, get } = await openListener();
    await api.keys.add(api.key, { label: 'narrow', models: [HUB_MODEL] });
    expect(await errorOf(await get())).toMatchObject({ status: 403, code: 'model_not_allowed' });
  });

  test('of another deployment is refused', async () => {
    const { url } = await openListener();
    const other = await openApi();
    expect((await listen(other, url)).status).toBe(401);
    const elsewhere = await speechUrl(
      { base: `${ORIGIN}/`, key: createKey(), hasServiceWorker: true },
      SPEECH,
    );
    expect((await listen(other, elsewhere)).status).toBe(401);
  });

  test('is not a key for anything else', async () => {
    const { api, url } = await openListener();
    const { search } = new URL(url);
    expect((await api.fetch(`/models${search}`, { headers: {} })).status).toBe(401);
    const id = new URL(url).searchParams.get('key') ?? '';
    const headers = { authorization: `Bearer ${id}` };
    expect((await api.fetch('/models', { headers })).status).toBe(401);
  });

  test('is validated as a body is', async () => {
    for (const [request, param] of [
      [{ ...SPEECH, voice: 'alloy' }, 'voice'],
      [{ ...SPEECH, input: '' }, 'input'],
      [{ ...SPEECH, speed: Number.NaN }, 'speed'],
      [{ ...SPEECH, lang_code: 'fr' }, 'lang_code'],
    ] as const) {
      const { get } = await openListener(request);
      expect(await errorOf(await get())).toMatchObject({ status: 400, param });
    }
  });

  test('allows only GET and HEAD, beside the POST', async () => {
    const { get } = await openListener();
    const response = await get(undefined, { method: 'PUT' });
    expect(response.headers.get('allow')).toBe('POST, GET, HEAD, OPTIONS');
    expect(response.status).toBe(405);
    expect((await get(undefined, { method: 'HEAD' })).headers.get('content-type')).toBe(
      'audio/wav',
    );
  });
});

describe('a listener', () => {
  test('that asks from the beginning gets the sentences as they are spoken', async () => {
    const { api, get } = await openListener();
    const { promise, resolve } = Promise.withResolvers<void>();
    api.engine.next(audio(1, 2), promise, audio(3), spoken(9));
    const response = await get('bytes=0-');
    expect(response.status).toBe(200);
    expect(response.headers.get('accept-ranges')).toBe('bytes');
    expect(response.headers.get('content-length')).toBeNull();
    const reader = response.body?.getReader();
    expect((await reader?.read())?.value).toEqual(new Uint8Array([1, 2]));
    resolve();
    expect((await reader?.read())?.value).toEqual(new Uint8Array([3]));
    expect((await reader?.read())?.done).toBe(true);
  });

  test('that asks for two bytes waits for the end, and gets the length', async () => {
    const { get } = await openListener();
    const response = await get('bytes=0-1');
    expect(response.status).toBe(206);
    expect(response.headers.get('content-range')).toBe('bytes 0-1/6');
    expect(response.headers.get('content-length')).toBe('2');
    expect(await bytesOf(response)).toEqual([9, 8]);
  });

  test.each([
    ['bytes=0-', 206, [9, 8, 3, 4, 5, 6], 'bytes 0-5/6'],
    ['bytes=1-3', 206, [8, 3, 4], 'bytes 1-3/6'],
    ['bytes=4-', 206, [5, 6], 'bytes 4-5/6'],
    ['bytes=4-99', 206, [5, 6], 'bytes 4-5/6'],
    ['bytes=-2', 206, [5, 6], 'bytes 4-5/6'],
    ['bytes=-99', 206, WHOLE, 'bytes 0-5/6'],
    ['bytes=6-', 416, [], 'bytes */6'],
    ['bytes=-0', 416, [], 'bytes */6'],
    ['bytes=3-1', 200, WHOLE, null],
    ['bytes=0-1,3-4', 200, WHOLE, null],
    ['lines=1-2', 200, WHOLE, null],
  ])('that asks for %s of a complete speech', async (range, status, bytes, contentRange) => {
    const { api, get } = await openListener();
    await get('bytes=0-0');
    const response = await get(range);
    expect(response.status).toBe(status);
    expect(response.headers.get('content-range')).toBe(contentRange);
    expect(await bytesOf(response)).toEqual(bytes);
    expect(api.engine.speeches).toHaveLength(1);
  });

  test('shares a speech with another one of the same URL, each from its beginning', async () => {
    const { api, get } = await openListener();
    const { promise, resolve } = Promise.withResolvers<void>();
    api.engine.next(audio(1, 2, 3), promise, audio(4, 5), audio(6), spoken(9, 8));
    const one = await get();
    const other = await get('bytes=0-');
    const part = get('bytes=5-');
    const begun = [bytesOf(one), bytesOf(other)];
    resolve();
    const WHILE_SPOKEN = [1, 2, 3, 4, 5, 6];
    expect(await Promise.all(begun)).toEqual([WHILE_SPOKEN, WHILE_SPOKEN]);
    expect(await bytesOf(await part)).toEqual([6]);
    expect(api.engine.speeches).toHaveLength(1);
  });

  test('that leaves as the last one stops the speech; the next one gets a new speech', async () => {
    const { api, get } = await openListener();
    api.engine.next(audio(1, 2), HANG);
    const [one, other] = [await get(), await get()];
    await one.body?.cancel();
    expect(api.engine.lastSpeech.ended).toBe(false);
    await other.body?.cancel();
    await vi.waitFor(() => expect(api.engine.lastSpeech.ended).toBe(true));
    expect(await bytesOf(await get('bytes=4-'))).toEqual([5, 6]);
    expect(api.engine.speeches).toHaveLength(2);
  });

  test('that waits too long for a part gets the whole file as it is spoken, and can leave', async () => {
    const { api, get } = await openListener(SPEECH, '/', { stream: 1, json: 1 });
    api.engine.next(audio(1, 2), HANG);
    const response = await get('bytes=4-');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-range')).toBeNull();
    const reader = response.body?.getReader();
    expect((await reader?.read())?.value).toEqual(new Uint8Array([1, 2]));
    expect(api.engine.lastSpeech.ended).toBe(false);
    await reader?.cancel();
    await vi.waitFor(() => expect(api.engine.lastSpeech.ended).toBe(true));
  });

  test('that waits for a part gets a failure as a status', async () => {
    const { api, get } = await openListener();
    const { promise, resolve } = Promise.withResolvers<void>();
    api.engine.next(audio(1, 2), promise, serverError('engine_error', 'It broke.'));
    const response = get('bytes=4-');
    resolve();
    expect(await errorOf(await response)).toMatchObject({ status: 500, code: 'engine_error' });
  });

  test('gets a failure before the first sound as a status, and can retry', async () => {
    const { api, get } = await openListener();
    api.engine.next(Promise.resolve(), serverError('engine_error', 'It broke.'));
    expect(await errorOf(await get())).toMatchObject({ status: 500, code: 'engine_error' });
    expect(await bytesOf(await get('bytes=4-'))).toEqual([5, 6]);
  });

  test('gets a later failure as an error of the body', async () => {
    const { api, get } = await openListener();
    api.engine.next(audio(1), serverError('engine_error', 'It broke.'));
    const response = await get();
    await expect(response.arrayBuffer()).rejects.toThrow('It broke.');
  });
});
