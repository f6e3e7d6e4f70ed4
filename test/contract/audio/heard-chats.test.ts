import type OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { jobFault } from '../../../src/core/errors/errors.ts';
import { MODEL, openApi, RECOGNISER, UNINSTALLED_MODEL, type TestApi } from '../support/api.ts';
import { limited } from '../support/limited-key.ts';
import { chunksOf, errorOf, json } from '../support/read.ts';
import { hasSharedFixtures, recordings } from '../support/shared-fixtures.ts';
import { heard } from '../support/test-engine.ts';

const PATH = '/chat/completions';
const WAV = Buffer.from('RIFF, as far as anybody looks').toString('base64');
const sound = (data: unknown = WAV, rest: object = {}) => ({
  type: 'input_audio',
  input_audio: { data, format: 'wav', ...rest },
});
const asking = (...parts: object[]) => ({
  model: MODEL,
  messages: [{ role: 'user', content: [{ type: 'text', text: 'What is said? ' }, ...parts] }],
});

/** An API, and headers with a key for whose chats recordings are written down. */
async function hearing(hear = RECOGNISER): Promise<{ api: TestApi; headers: HeadersInit }> {
  const api = await openApi();
  return { api, headers: (await limited(api, { hear })).headers };
}

describe('a recording in a chat', () => {
  test('is written down, and the model reads what is said', async () => {
    const { api, headers } = await hearing();
    const answer = await json<OpenAI.ChatCompletion>(
      await api.post(PATH, asking(sound(), { type: 'text', text: ' Tell me.' }), { headers }),
    );
    expect(answer.choices[0]?.message.content).toBe('Hello there');
    expect(answer.usage?.prompt_tokens_details).toMatchObject({ audio_tokens: 0 });
    const [{ job }] = api.engine.transcriptions as [(typeof api.engine.transcriptions)[number]];
    expect(job).toMatchObject({ model: RECOGNISER, task: 'transcribe' });
    expect(Buffer.from(await job.audio.arrayBuffer()).toString('base64')).toBe(WAV);
    expect(api.engine.runs[0]?.job.prompt).toMatchObject({
      messages: [{ content: 'What is said? <transcript>Hello there.</transcript> Tell me.' }],
    });
  });

  test('works in streams, and beside a second one', async () => {
    const { api, headers } = await hearing();
    const body = { ...asking(sound(), sound()), stream: true };
    const chunks = await chunksOf(await api.post(PATH, body, { headers }));
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe('stop');
    expect(api.engine.transcriptions).toHaveLength(2);
  });

  test('may be answered by a spoken one', async () => {
    const { api, headers } = await hearing();
    const spoken = { modalities: ['text', 'audio'], audio: { voice: 'ann', format: 'wav' } };
    const answer = await json<OpenAI.ChatCompletion>(
      await api.post(PATH, { ...asking(sound()), ...spoken }, { headers }),
    );
    expect(answer.choices[0]?.message.audio?.transcript).toBe('Hello there');
  });

  test('cannot have its words taken for those of another part', async () => {
    const { api, headers } = await hearing();
    api.engine.alwaysHear(heard(0, ' $& $1 [x]'), { type: 'transcribed', seconds: 1 });
    await api.post(PATH, asking(sound()), { headers });
    expect(api.engine.runs[0]?.job.prompt).toMatchObject({
      messages: [{ content: 'What is said? <transcript>$& $1 [x]</transcript>' }],
    });
  });

  test.each(['', 'data:audio/wav;base64,'])('may begin with “%s”', async (beginning) => {
    const { api, headers } = await hearing();
    const response = await api.post(PATH, asking(sound(beginning + WAV)), { headers });
    expect(response.status).toBe(200);
  });

  test.runIf(hasSharedFixtures)('of real clients is heard', async () => {
    const { api, headers } = await hearing();
    const requests = recordings()
      .filter((recording) => recording.case === 'chat-input_audio')
      .flatMap((recording) => recording.requests);
    expect(requests.length).toBeGreaterThan(2);
    for (const { body } of requests) {
      const response = await api.post(PATH, { ...body, model: MODEL }, { headers });
      expect(response.status).toBe(200);
    }
  });
});

describe('models tell that recordings are written down', () => {
  test('if they are', async () => {
    const { api, headers } = await hearing();
    const { data } = await json<{ data: { id: string }[] }>(
      await api.fetch('/models', { headers }),
    );
    expect(data.find(({ id }) => id === MODEL)).toMatchObject({
      input_modalities: ['text', 'audio'],
      audio_by: 'transcription',
    });
  });

  test('not otherwise', async () => {
    const api = await openApi();
    const { data } = await json<{ data: { id: string }[] }>(await api.fetch('/models'));
    const model = data.find(({ id }) => id === MODEL);
    expect(model).toMatchObject({ input_modalities: ['text'] });
    expect(model).not.toHaveProperty('audio_by');
  });
});

describe('a recording that cannot be heard is refused', () => {
  const at = 'messages[0].content[1]';

  test('where the site has not said who writes it down', async () => {
    const api = await openApi();
    expect(await errorOf(await api.post(PATH, asking(sound())))).toMatchObject({
      status: 400,
      code: 'unsupported_value',
      param: at,
      message: expect.stringContaining('start({ hear: "<model>" })'),
    });
  });

  test.each([
    ['not in base64', sound('?'), `${at}.input_audio.data`],
    ['empty', sound(''), `${at}.input_audio.data`],
    ['no text', sound(1), `${at}.input_audio.data`],
    ['missing', { type: 'input_audio' }, `${at}.input_audio`],
    ['a URL', { type: 'input_audio', input_audio: 'https://a.example/b.wav' }, `${at}.input_audio`],
  ])('%s', async (_name, part, param) => {
    const { api, headers } = await hearing();
    const response = await api.post(PATH, asking(part), { headers });
    expect(await errorOf(response)).toMatchObject({ status: 400, param });
    expect(api.engine.transcriptions).toEqual([]);
  });

  test('of a system', async () => {
    const { api, headers } = await hearing();
    const body = { model: MODEL, messages: [{ role: 'system', content: [sound()] }] };
    expect(await errorOf(await api.post(PATH, body, { headers }))).toMatchObject({
      status: 400,
      param: 'messages[0].content[0]',
    });
  });

  test('too large', async () => {
    const { api, headers } = await hearing();
    const data = Buffer.alloc(26 * 1024 ** 2).toString('base64');
    const response = await api.post(PATH, asking(sound(data)), { headers });
    expect((await errorOf(response)).status).toBe(413);
  });

  test('longer than ten minutes, without reading it to its end', async () => {
    const { api, headers } = await hearing();
    api.engine.alwaysHear(heard(599, ' a'), heard(600, ' b'), new Error('It was read on.'));
    expect(await errorOf(await api.post(PATH, asking(sound()), { headers }))).toMatchObject({
      status: 400,
      param: `${at}.input_audio.data`,
      message: `'${at}.input_audio.data' is longer than 10 minutes.`,
    });
    expect(api.engine.runs).toEqual([]);
  });

  test('that is no sound', async () => {
    const { api, headers } = await hearing();
    api.engine.alwaysHear(jobFault('recording', 'is not audio that this browser can decode.'));
    expect(await errorOf(await api.post(PATH, asking(sound()), { headers }))).toMatchObject({
      status: 400,
      param: `${at}.input_audio.data`,
      message: `'${at}.input_audio.data' is not audio that this browser can decode.`,
    });
  });

  test.each([
    [MODEL, 400],
    [UNINSTALLED_MODEL, 404],
    ['nobody', 404],
  ])('by %s', async (model, status) => {
    const { api, headers } = await hearing(model);
    expect((await errorOf(await api.post(PATH, asking(sound()), { headers }))).status).toBe(status);
  });
});
