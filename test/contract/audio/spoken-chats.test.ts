import type OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { jobFault, serverError } from '../../../src/core/errors/errors.ts';
import { MODEL, openApi, SPEECH_MODEL, type TestApi } from '../support/api.ts';
import { limited } from '../support/limited-key.ts';
import { chunksOf, errorOf, json } from '../support/read.ts';
import { audio, finish, spoken, text, toolArguments, toolCall } from '../support/test-engine.ts';

const PATH = '/chat/completions';
const HELLO = [{ role: 'user' as const, content: 'Hi' }];
const SPOKEN = {
  model: MODEL,
  messages: HELLO,
  modalities: ['text' as const, 'audio' as const],
  audio: { voice: 'ann', format: 'wav' as const },
};
const STREAMED = { ...SPOKEN, stream: true, audio: { voice: 'ann', format: 'pcm16' } };

type Message = OpenAI.ChatCompletion['choices'][0]['message'];

async function messageOf(api: TestApi, body: object = SPOKEN): Promise<Message> {
  const { choices } = await json<OpenAI.ChatCompletion>(await api.post(PATH, body));
  const [choice] = choices;
  if (!choice) throw new Error('There is no answer.');
  return choice.message;
}

describe('a spoken answer', () => {
  test('has its sound, and what it says', async () => {
    const api = await openApi();
    api.engine.alwaysSpeak(audio(9, 2), audio(3), spoken(1));
    const answer = await api.client().chat.completions.create(SPOKEN);
    const before = Math.floor(Date.now() / 1_000);
    expect(answer.choices).toEqual([
      {
        index: 0,
        message: {
          role: 'assistant',
          content: null,
          refusal: null,
          audio: {
            id: expect.stringMatching(/^audio_/),
            // The header that tells the length replaces the file's first bytes.
            data: Buffer.from([1, 2, 3]).toString('base64'),
            transcript: 'Hello there',
            expires_at: expect.any(Number),
          },
        },
        logprobs: null,
        finish_reason: 'stop',
      },
    ]);
    const expiry = answer.choices[0]?.message.audio?.expires_at ?? 0;
    expect(Math.abs(expiry - before - 3_600)).toBeLessThan(60);
    expect(answer.usage?.completion_tokens).toBe(3);
    expect(api.engine.lastSpeech.job).toMatchObject({
      model: SPEECH_MODEL,
      text: 'Hello there',
      voice: 'ann',
      language: 'en-US',
      speed: 1,
      format: 'wav',
    });
  });

  test('is streamed: its id, its words, its sound, and when its id expires', async () => {
    const api = await openApi();
    const chunks = await chunksOf(await api.post(PATH, STREAMED));
    const deltas = chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta));
    const id = expect.stringMatching(/^audio_/);
    expect(deltas).toEqual([
      { role: 'assistant', content: '' },
      { audio: { id } },
      { audio: { transcript: 'Hello' } },
      { audio: { transcript: ' there' } },
      { audio: { data: Buffer.from([1, 2]).toString('base64') } },
      { audio: { data: Buffer.from([3]).toString('base64') } },
      { audio: { expires_at: expect.any(Number) } },
      {},
    ]);
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe('stop');
    expect(api.engine.lastSpeech.job).toMatchObject({ format: 'pcm', sampleRate: 24_000 });
  });

  test.each([
    ['mp3', 'mp3'],
    ['flac', 'flac'],
    ['opus', 'opus'],
    ['aac', 'aac'],
    ['pcm16', 'pcm'],
  ])('may be %s', async (format, job) => {
    const api = await openApi();
    await messageOf(api, { ...SPOKEN, audio: { voice: { id: 'nova' }, format } });
    // The alias of OpenAI's name.
    expect(api.engine.lastSpeech.job).toMatchObject({ voice: 'bob', format: job });
  });

  test('may be asked for without text', async () => {
    const api = await openApi();
    expect(await messageOf(api, { ...SPOKEN, modalities: ['audio'] })).toHaveProperty('audio');
  });

  test('that is a call is made as text, and nothing is spoken', async () => {
    const api = await openApi();
    api.engine.next(toolCall(0, 'look'), toolArguments(0, '{}'), finish('tool_calls'));
    const tools = [{ type: 'function', function: { name: 'look' } }];
    const message = await messageOf(api, { ...SPOKEN, tools });
    expect(message).toMatchObject({ content: null, tool_calls: [{ id: 'call_0' }] });
    expect(message).not.toHaveProperty('audio');
    expect(api.engine.speeches).toEqual([]);
  });

  test('without letters and digits has no sound', async () => {
    const api = await openApi();
    api.engine.next(text('…'), finish());
    expect((await messageOf(api)).audio).toMatchObject({ data: '', transcript: '…' });
    expect(api.engine.speeches).toEqual([]);
  });

  test('does not say what is hidden, and says all that is shown', async () => {
    const api = await openApi();
    api.engine.next({ type: 'reasoning', text: 'Hm.' }, text('Good'), {
      type: 'finish',
      reason: 'stop',
      stop: '!',
      usage: { promptTokens: 1, completionTokens: 1, cachedTokens: 0 },
    });
    const message = await messageOf(api, { ...SPOKEN, include_stop_str_in_output: true });
    expect(message).toMatchObject({ reasoning: 'Hm.', audio: { transcript: 'Good!' } });
    expect(api.engine.lastSpeech.job.text).toBe('Good!');
  });

  test('that the voice cannot speak is an error that says so', async () => {
    const api = await openApi();
    api.engine.alwaysSpeak(
      jobFault('text', 'contains characters that this voice cannot speak: “好”.'),
    );
    expect(await errorOf(await api.post(PATH, SPOKEN))).toMatchObject({
      status: 400,
      code: 'unsupported_value',
      param: 'audio.voice',
      message: 'The answer contains characters that this voice cannot speak: “好”.',
    });
    api.engine.alwaysSpeak(jobFault('audio', 'needs an encoder.', { code: 'unsupported_value' }));
    expect(await errorOf(await api.post(PATH, SPOKEN))).toMatchObject({
      status: 400,
      param: 'audio.format',
      message: "'audio.format' needs an encoder.",
    });
  });

  test('whose sound breaks off ends with an error', async () => {
    const api = await openApi();
    api.engine.alwaysSpeak(audio(1), serverError('engine_error', 'It broke.'));
    const stream = await api.client({ maxRetries: 0 }).chat.completions.create({
      ...SPOKEN,
      stream: true,
      audio: { voice: 'ann', format: 'pcm16' },
    });
    await expect(
      (async () => {
        for await (const chunk of stream) expect(chunk.choices[0]?.finish_reason).toBeNull();
      })(),
    ).rejects.toThrow('It broke.');
  });
});

describe('a later turn', () => {
  const turn = (id: string, content?: string) => ({
    model: MODEL,
    messages: [
      ...HELLO,
      { role: 'assistant', audio: { id }, ...(content !== undefined && { content }) },
      ...HELLO,
    ],
  });

  test('names an earlier answer by its id', async () => {
    const api = await openApi();
    const { audio: said } = await messageOf(api);
    await messageOf(api, turn(said?.id ?? ''));
    expect(api.engine.runs.at(-1)?.job.prompt).toMatchObject({
      messages: [{}, { role: 'assistant', content: 'Hello there' }, {}],
    });
    const counted = await api.post('/chat/completions/input_tokens', turn(said?.id ?? ''));
    expect(counted.status).toBe(200);
  });

  test.each([
    ['that nobody gave', async () => 'audio_1'],
    [
      'of another client',
      async (api: TestApi) => {
        const { headers } = await limited(api, {});
        const response = await api.post(PATH, SPOKEN, { headers });
        const { choices } = await json<OpenAI.ChatCompletion>(response);
        return choices[0]?.message.audio?.id ?? '';
      },
    ],
  ])('cannot name an answer %s, and says what to send', async (_name, idOf) => {
    const api = await openApi();
    const id = await idOf(api);
    expect(await errorOf(await api.post(PATH, turn(id)))).toMatchObject({
      status: 400,
      code: 'audio_not_found',
      param: 'messages[1].audio.id',
      message: expect.stringContaining('Send the transcript as content.'),
    });
    expect((await api.post(PATH, turn(id, 'Hello there'))).status).toBe(200);
  });
});

describe('what cannot be spoken is refused', () => {
  test.each([
    [{ modalities: ['text', 'video'] }, 'modalities[1]', 'unsupported_value'],
    [{ modalities: ['text'] }, 'modalities', null],
    [{ modalities: undefined }, 'modalities', null],
    [{ audio: undefined }, 'audio', null],
    [{ audio: null }, 'audio', null],
    [{ audio: { voice: 'ann' } }, 'audio.format', null],
    [{ audio: { voice: 'ann', format: 'midi' } }, 'audio.format', null],
    [{ audio: { format: 'wav' } }, 'audio.voice', null],
    [{ audio: { voice: 'nobody', format: 'wav' } }, 'audio.voice', null],
    [{ stream: true }, 'audio.format', 'unsupported_value'],
    [{ n: 2 }, 'n', 'unsupported_value'],
    [{ response_format: { type: 'json_object' } }, 'response_format', 'unsupported_value'],
    [
      { messages: [{ role: 'user', content: 'Hi', audio: { id: 'audio_1' } }] },
      'messages[0].audio',
      null,
    ],
    [{ messages: [{ role: 'assistant', audio: { id: 1 } }] }, 'messages[0].audio.id', null],
  ])('%j', async (fields, param, code) => {
    const api = await openApi();
    const response = await api.post(PATH, { ...SPOKEN, ...fields });
    expect(await errorOf(response)).toMatchObject({ status: 400, param, code });
    expect(api.engine.runs).toEqual([]);
  });

  test('a key that may not use a speech model', async () => {
    const api = await openApi();
    const { headers } = await limited(api, { models: [MODEL] });
    expect(await errorOf(await api.post(PATH, SPOKEN, { headers }))).toMatchObject({
      status: 400,
      code: 'unsupported_value',
      param: 'audio.voice',
    });
  });
});
