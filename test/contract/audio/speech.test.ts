import { createOpenAI } from '@ai-sdk/openai';
import { generateSpeech } from 'ai';
import OpenAI from 'openai';
import { describe, expect, test, vi } from 'vitest';
import { jobFault, rateLimited, serverError } from '../../../src/core/errors/errors.ts';
import { HUB_MODEL, openApi, ORIGIN, SPEECH_MODEL, UNINSTALLED_MODEL } from '../support/api.ts';
import { browserFetch } from '../support/browser-fetch.ts';
import { dataOf, errorOf } from '../support/read.ts';
import { hasSharedFixtures, recordings } from '../support/shared-fixtures.ts';
import { audio, HANG, spoken } from '../support/test-engine.ts';

const PATH = '/audio/speech';
const SPEECH = { model: SPEECH_MODEL, input: 'Good morning.', voice: 'ann' };

async function bytesOf(response: Response): Promise<number[]> {
  return [...new Uint8Array(await response.arrayBuffer())];
}

describe('POST /v1/audio/speech answers', () => {
  test('with the bytes of the file, WAV by default', async () => {
    const api = await openApi();
    const response = await api.post(PATH, SPEECH);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('audio/wav');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('x-request-id')).toMatch(/^req_/);
    expect(await bytesOf(response)).toEqual([1, 2, 3]);
    expect(api.engine.lastSpeech.job).toMatchObject({
      op: 'speak',
      model: SPEECH_MODEL,
      text: 'Good morning.',
      voice: 'ann',
      language: 'en-US',
      speed: 1,
      format: 'wav',
    });
  });

  test('with MP3 if asked for it', async () => {
    const api = await openApi();
    const response = await api.post(PATH, { ...SPEECH, response_format: 'mp3' });
    expect(response.headers.get('content-type')).toBe('audio/mpeg');
    expect(api.engine.lastSpeech.job.format).toBe('mp3');
    expect(await bytesOf(response)).toEqual([1, 2, 3]);
  });

  test.each([
    ['opus', 'audio/ogg; codecs=opus'],
    ['aac', 'audio/aac'],
    ['flac', 'audio/flac'],
  ])('as %s, if the browser has an encoder', async (format, type) => {
    const api = await openApi();
    const body = { ...SPEECH, response_format: format };
    const response = await api.post(PATH, body);
    expect(response.headers.get('content-type')).toBe(type);
    expect(api.engine.lastSpeech.job.format).toBe(format);
    api.engine.alwaysSpeak(jobFault('audio', 'needs an encoder.', { code: 'unsupported_value' }));
    expect(await errorOf(await api.post(PATH, body))).toMatchObject({
      status: 400,
      code: 'unsupported_value',
      param: 'response_format',
      message: "'response_format' needs an encoder.",
    });
  });

  test('with PCM, whose sample rate is in its type', async () => {
    const api = await openApi();
    const response = await api.post(PATH, { ...SPEECH, response_format: 'pcm' });
    expect(response.headers.get('content-type')).toBe('audio/pcm;rate=24000');
    expect(api.engine.lastSpeech.job.format).toBe('pcm');
  });

  test('to OpenAI’s names of voices, by the model’s table', async () => {
    const api = await openApi();
    await (await api.post(PATH, { ...SPEECH, voice: 'nova' })).text();
    expect(api.engine.lastSpeech.job.voice).toBe('bob');
    expect((await api.post(PATH, { ...SPEECH, voice: 'toString' })).status).toBe(400);
  });

  test('as events, with the audio in base64', async () => {
    const api = await openApi();
    const response = await api.post(PATH, { ...SPEECH, stream_format: 'sse' });
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    expect((await dataOf(response)).map((data): unknown => JSON.parse(data))).toEqual([
      { type: 'speech.audio.delta', audio: 'AQI=' },
      { type: 'speech.audio.delta', audio: 'Aw==' },
      {
        type: 'speech.audio.done',
        usage: { input_tokens: 0, output_tokens: 0, total_tokens: 0 },
      },
    ]);
  });

  test('as events that end with the failure', async () => {
    const api = await openApi();
    api.engine.next(audio(1), serverError('engine_error', 'It broke.'));
    const frames = await dataOf(await api.post(PATH, { ...SPEECH, stream_format: 'sse' }));
    expect(JSON.parse(frames.at(-1) ?? '')).toMatchObject({
      error: { code: 'engine_error', message: 'It broke.' },
    });
  });

  test('sentence by sentence, before the last one is spoken', async () => {
    const api = await openApi();
    const { promise, resolve } = Promise.withResolvers<void>();
    api.engine.next(audio(1), promise, audio(2), spoken());
    const response = await api.post(PATH, SPEECH);
    const reader = response.body?.getReader();
    expect((await reader?.read())?.value).toEqual(new Uint8Array([1]));
    resolve();
    expect((await reader?.read())?.value).toEqual(new Uint8Array([2]));
    expect((await reader?.read())?.done).toBe(true);
  });

  test('the openai package', async () => {
    const api = await openApi();
    const response = await api.client().audio.speech.create({
      model: SPEECH_MODEL,
      input: 'Hi',
      voice: { id: 'bob' },
      response_format: 'mp3',
      speed: 2,
    });
    expect(await bytesOf(response)).toEqual([1, 2, 3]);
    expect(api.engine.lastSpeech.job).toMatchObject({ voice: 'bob', speed: 2, format: 'mp3' });
  });

  test.each(['wav', 'mp3'] as const)('the AI SDK, %s', async (outputFormat) => {
    const api = await openApi();
    const provider = createOpenAI({
      baseURL: `${ORIGIN}/v1`,
      apiKey: api.key,
      fetch: browserFetch(api.app),
    });
    const { audio: file, warnings } = await generateSpeech({
      model: provider.speech(SPEECH_MODEL),
      text: 'Hi',
      voice: 'bob',
      speed: 0.5,
      outputFormat,
      maxRetries: 0,
    });
    expect([...file.uint8Array]).toEqual([1, 2, 3]);
    expect(warnings).toEqual([]);
    const type = outputFormat === 'mp3' ? 'audio/mpeg' : 'audio/wav';
    expect(file.mediaType).toBe(type);
    expect(api.engine.lastSpeech.job).toMatchObject({ voice: 'bob', speed: 0.5, text: 'Hi' });
  });

  test('the openai package with an error that it knows', async () => {
    const api = await openApi();
    const answer = api.client().audio.speech.create({ ...SPEECH, voice: 'alloy' });
    await expect(answer).rejects.toBeInstanceOf(OpenAI.BadRequestError);
  });
});

describe.skipIf(!hasSharedFixtures)('requests recorded from real clients', () => {
  const all = recordings().flatMap(({ client, case: name, requests }) =>
    requests
      .filter(({ path }) => path === '/v1/audio/speech')
      .map((request) => ({
        name: `${client} ${name}`,
        request,
      })),
  );

  test('are there', () => expect(all.length).toBeGreaterThanOrEqual(3));

  test.each(all)('$name is answered with its format', async ({ request: { headers, body } }) => {
    const api = await openApi();
    const response = await api.fetch(PATH, {
      method: 'POST',
      headers: { ...headers, authorization: `Bearer ${api.key}` },
      body: JSON.stringify({ ...body, model: SPEECH_MODEL, voice: 'ann' }),
    });
    expect(await bytesOf(response)).toEqual([1, 2, 3]);
    const { response_format }: Record<string, unknown> = body ?? {};
    const type = response_format === 'mp3' ? 'audio/mpeg' : 'audio/wav';
    expect(response.headers.get('content-type')).toBe(type);
  });
});

describe('a failure', () => {
  test('of the key is 401', async () => {
    const api = await openApi();
    const response = await api.post(PATH, SPEECH, { headers: {} });
    expect(await errorOf(response)).toMatchObject({ status: 401, code: 'invalid_api_key' });
  });

  test('of a key for other models is 403', async () => {
    const api = await openApi();
    await api.keys.add(api.key, { label: 'narrow', models: [HUB_MODEL] });
    const error = await errorOf(await api.post(PATH, SPEECH));
    expect(error).toMatchObject({ status: 403, code: 'model_not_allowed', param: 'model' });
  });

  test.each([UNINSTALLED_MODEL, 'tts-1'])('of the model %s is 404', async (model) => {
    const api = await openApi();
    const error = await errorOf(await api.post(PATH, { ...SPEECH, model }));
    expect(error).toMatchObject({ status: 404, code: 'model_not_found', param: 'model' });
  });

  test('of a full queue is 429 and says when to retry', async () => {
    const api = await openApi();
    api.engine.next(rateLimited('Too many.', 2_000));
    const response = await api.post(PATH, SPEECH);
    expect(response.headers.get('retry-after')).toBe('2');
    expect(await errorOf(response)).toMatchObject({ status: 429, code: 'rate_limit_exceeded' });
  });

  test('of the engine before the first sentence is 500', async () => {
    const api = await openApi();
    api.engine.next(Promise.resolve(), serverError('out_of_memory', 'No memory.'));
    const error = await errorOf(await api.post(PATH, SPEECH));
    expect(error).toMatchObject({ status: 500, code: 'out_of_memory' });
  });

  test('of the engine after the first sentence errors the body: half a file would look like a whole one', async () => {
    const api = await openApi();
    api.engine.next(audio(1), serverError('engine_error', 'It broke.'));
    const response = await api.post(PATH, SPEECH);
    await expect(response.arrayBuffer()).rejects.toThrow('It broke.');
  });

  test('of an engine that ends in the middle errors the body', async () => {
    const api = await openApi();
    api.engine.next(audio(1));
    const response = await api.post(PATH, SPEECH);
    await expect(response.arrayBuffer()).rejects.toThrow('in the middle');
  });
});

describe('an abort', () => {
  test('stops only its own synthesis', async () => {
    const api = await openApi();
    api.engine.alwaysSpeak(audio(1), HANG);
    const controller = new AbortController();
    const one = await api.post(PATH, SPEECH, { signal: controller.signal });
    const other = await api.post(PATH, SPEECH);
    const body = expect(one.arrayBuffer()).rejects.toMatchObject({ name: 'AbortError' });
    controller.abort();
    await body;
    await vi.waitFor(() => expect(api.engine.speeches[0]?.ended).toBe(true));
    expect(api.engine.speeches.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    await other.body?.cancel();
  });

  test('while it waits in the queue takes it out', async () => {
    const api = await openApi({ graceMs: { stream: 1, json: 1 } });
    api.engine.next(HANG);
    const response = await api.post(PATH, SPEECH);
    await response.body?.cancel();
    await vi.waitFor(() => expect(api.engine.lastSpeech.ended).toBe(true));
  });
});
