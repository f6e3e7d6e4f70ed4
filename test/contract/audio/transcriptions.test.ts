import { createOpenAI } from '@ai-sdk/openai';
import { transcribe } from 'ai';
import { toFile } from 'openai';
import { describe, expect, test } from 'vitest';
import { jobFault, serverError } from '../../../src/core/errors/errors.ts';
import { EMBEDDER, openApi, RECOGNISER } from '../support/api.ts';
import { browserFetch } from '../support/browser-fetch.ts';
import { problems } from '../support/openai-schema.ts';
import { errorOf, json } from '../support/read.ts';
import { PATH, send, SOUND } from './send-recording.ts';
import { hasSharedFixtures, recordings } from '../support/shared-fixtures.ts';
import { heard } from '../support/test-engine.ts';

describe('POST /v1/audio/transcriptions', () => {
  test('answers with the text, and with the length of the recording', async () => {
    const api = await openApi();
    expect(await json(await send(api, {}))).toEqual({
      text: 'Hello there.',
      usage: { type: 'duration', seconds: 2 },
    });
    const [run] = api.engine.transcriptions;
    expect(run?.job).toMatchObject({ model: RECOGNISER, task: 'transcribe' });
    expect(await run?.job.audio.text()).toBe('RIFF …');
    expect(Object.keys(run?.job ?? {})).not.toContain('language');
  });

  test('passes on language, prompt, temperature and the wish for words', async () => {
    const api = await openApi();
    await json(
      await send(api, {
        language: 'German',
        prompt: 'Names: Ann',
        temperature: '0.4',
        response_format: 'verbose_json',
        'timestamp_granularities[]': ['word', 'segment'],
      }),
    );
    expect(api.engine.transcriptions[0]?.job).toMatchObject({
      language: 'de',
      prompt: 'Names: Ann',
      temperature: 0.4,
      words: true,
    });
  });

  test('takes an empty field as an absent one, as forms of web pages send it', async () => {
    const api = await openApi();
    const empty = { language: '', prompt: '', temperature: '', response_format: '', stream: '' };
    expect(await json(await send(api, empty))).toMatchObject({ text: 'Hello there.' });
    expect(api.engine.transcriptions[0]?.job).not.toMatchObject({ prompt: '' });
  });

  test('answers as text, SubRip and WebVTT', async () => {
    const api = await openApi();
    api.engine.alwaysHear(heard(0, ' Hello'), heard(3661.5, ' <b> & me'), {
      type: 'transcribed',
      seconds: 3700,
    });
    const as = async (response_format: string) => {
      const response = await send(api, { response_format });
      expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
      return response.text();
    };
    expect(await as('text')).toBe('Hello <b> & me\n');
    expect(await as('srt')).toBe(
      '1\n00:00:00,000 --> 00:00:01,000\nHello\n\n2\n01:01:01,500 --> 01:01:02,500\n<b> & me\n\n',
    );
    expect(await as('vtt')).toBe(
      'WEBVTT\n\n00:00:00.000 --> 00:00:01.000\nHello\n\n' +
        '01:01:01.500 --> 01:01:02.500\n&lt;b&gt; &amp; me\n\n',
    );
  });

  test('tells segments and words with their times', async () => {
    const api = await openApi();
    const verbose = await json(
      await send(api, {
        response_format: 'verbose_json',
        timestamp_granularities: ['word', 'segment'],
      }),
    );
    expect(verbose).toMatchObject({
      task: 'transcribe',
      language: 'english',
      duration: 1.5,
      text: 'Hello there.',
      segments: [
        {
          id: 0,
          seek: 0,
          start: 0,
          end: 1,
          text: ' Hello',
          tokens: [1, 2],
          temperature: 0,
          avg_logprob: -0.1,
          compression_ratio: 1,
          no_speech_prob: 0.01,
        },
        { id: 1, start: 1, end: 2, text: ' there.' },
      ],
      words: [
        { word: 'Hello', start: 0, end: 1 },
        { word: 'there.', start: 1, end: 2 },
      ],
    });
    if (hasSharedFixtures) {
      expect(problems('CreateTranscriptionResponseVerboseJson', verbose)).toBe('');
    }
  });

  test('streams the text while the recording is read', async () => {
    const api = await openApi();
    const file = await toFile(new Uint8Array([1]), 'a.wav');
    const stream = await api
      .client()
      .audio.transcriptions.create({ file, model: RECOGNISER, stream: true });
    const events = await Array.fromAsync(stream);
    expect(events).toEqual([
      { type: 'transcript.text.delta', delta: 'Hello' },
      { type: 'transcript.text.delta', delta: ' there.' },
      {
        type: 'transcript.text.done',
        text: 'Hello there.',
        usage: {
          type: 'tokens',
          input_tokens: 6,
          output_tokens: 4,
          total_tokens: 10,
          input_token_details: { text_tokens: 0, audio_tokens: 6 },
        },
      },
    ]);
  });

  test('a stream that fails ends with an error, which the openai package throws', async () => {
    const api = await openApi();
    api.engine.alwaysHear(heard(0, ' Hello'), serverError('out_of_memory', 'Too little memory.'));
    const file = await toFile(new Uint8Array([1]), 'a.wav');
    const stream = await api
      .client({ maxRetries: 0 })
      .audio.transcriptions.create({ file, model: RECOGNISER, stream: true });
    await expect(Array.fromAsync(stream)).rejects.toThrow('Too little memory.');
  });

  test('a file that cannot be decoded is a 400 that names the field', async () => {
    const api = await openApi();
    api.engine.alwaysHear(jobFault('recording', 'has no sound.'));
    expect(await errorOf(await send(api, {}))).toMatchObject({
      status: 400,
      param: 'file',
      message: "'file' has no sound.",
    });
  });

  test.each([
    [{ file: undefined }, 'file', null],
    [{ file: 'text' }, 'file', null],
    [{ model: undefined }, 'model', null],
    [{ model: EMBEDDER }, 'model', 'unsupported_value'],
    [{ model: 'o/unknown' }, 'model', 'model_not_found'],
    [{ language: 'xx' }, 'language', null],
    [{ temperature: '1.5' }, 'temperature', null],
    [{ temperature: 'warm' }, 'temperature', null],
    [{ response_format: 'diarized_json' }, 'response_format', 'unsupported_value'],
    [{ response_format: 'srt', stream: 'true' }, 'response_format', 'unsupported_value'],
    [{ stream: 'yes' }, 'stream', null],
    [{ 'timestamp_granularities[]': 'word' }, 'timestamp_granularities', null],
    [
      { 'timestamp_granularities[]': 'letter', response_format: 'verbose_json' },
      'timestamp_granularities',
      null,
    ],
    [{ 'include[]': 'logprobs' }, 'include', 'unsupported_value'],
    [{ 'known_speaker_names[]': 'ann' }, 'known_speaker_names', 'unsupported_value'],
  ])('refuses %o', async (fields, param, code) => {
    const api = await openApi();
    const { status, ...error } = await errorOf(await send(api, fields));
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(error).toMatchObject({ param, code });
    expect(api.engine.transcriptions).toEqual([]);
  });

  test('refuses a body that is no form', async () => {
    const api = await openApi();
    const error = await errorOf(await api.post(PATH, { model: RECOGNISER }));
    expect(error).toMatchObject({ status: 400, param: null });
    expect(error.message).toContain('multipart/form-data');
  });

  test('the AI SDK transcribes', async () => {
    const api = await openApi();
    const provider = createOpenAI({
      baseURL: 'http://localhost:4173/v1',
      apiKey: api.key,
      fetch: browserFetch(api.app),
    });
    const audio = new Uint8Array([82, 73, 70, 70]);
    const { text, segments, language } = await transcribe({
      model: provider.transcription(RECOGNISER),
      audio,
    });
    expect(text).toBe('Hello there.');
    expect([segments, language]).toEqual([[], undefined]);
  });

  const recorded = recordings().flatMap(({ client, case: name, requests }) =>
    requests
      .filter(({ path }) => /audio\/(transcriptions|translations)$/.test(path))
      .map(({ path, body }) => {
        const parts: unknown = body;
        return [`${client} ${name}`, path, parts as FormPart[]] as const;
      }),
  );

  test.skipIf(!hasSharedFixtures)('requests recorded from real clients are there', () => {
    expect(recorded.length).toBeGreaterThan(0);
  });

  test.each(recorded)('%s is answered as asked', async (_name, path, parts) => {
    const api = await openApi();
    const form = new FormData();
    for (const { name, value, filename } of parts) {
      if (filename === undefined) form.append(name, name === 'model' ? RECOGNISER : (value ?? ''));
      else form.append(name, SOUND, filename);
    }
    const headers = { authorization: `Bearer ${api.key}` };
    const response = await api.fetch(path.replace('/v1', ''), {
      method: 'POST',
      headers,
      body: form,
    });
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('Hello');
  });
});

interface FormPart {
  name: string;
  value?: string;
  filename?: string;
}
