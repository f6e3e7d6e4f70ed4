import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MODEL, openApi, SPEECH_MODEL } from '../support/api.ts';
import { errorOf } from '../support/read.ts';

const PATH = '/audio/speech';
const SPEECH = { model: SPEECH_MODEL, input: 'Good morning.', voice: 'ann' };
const FAULT = { status: 400, type: 'invalid_request_error' };

/** The job that a request becomes. */
async function jobOf(rest: object) {
  const api = await openApi();
  const response = await api.post(PATH, { ...SPEECH, ...rest });
  expect(response.status).toBe(200);
  await response.arrayBuffer();
  return api.engine.lastSpeech.job;
}

async function refusal(rest: object) {
  const api = await openApi();
  const error = await errorOf(await api.post(PATH, { ...SPEECH, ...rest }));
  expect(api.engine.speeches).toEqual([]);
  return error;
}

describe('an invalid request is refused with its field', () => {
  test.each([
    [{ model: undefined }, 'model'],
    [{ model: 7 }, 'model'],
    [{ input: undefined }, 'input'],
    [{ input: '' }, 'input'],
    [{ input: ' \n\t' }, 'input'],
    [{ input: ['Hi'] }, 'input'],
    [{ input: 'x'.repeat(4097) }, 'input'],
    [{ voice: undefined }, 'voice'],
    [{ voice: 7 }, 'voice'],
    [{ voice: {} }, 'voice'],
    [{ voice: ['ann'] }, 'voice'],
    [{ response_format: 7 }, 'response_format'],
    [{ speed: 0.24 }, 'speed'],
    [{ speed: 4.01 }, 'speed'],
    [{ speed: '1' }, 'speed'],
    [{ lang_code: 7 }, 'lang_code'],
    [{ lang_code: '' }, 'lang_code'],
    [{ lang_code: 'a' }, 'lang_code'],
    [{ lang_code: 'not a tag' }, 'lang_code'],
    [{ instructions: 7 }, 'instructions'],
    [{ stream_format: true }, 'stream_format'],
  ])('%j', async (rest, param) => {
    const error = await refusal(rest);
    expect(error).toMatchObject({ ...FAULT, param, code: null });
    expect(error.message).toContain(`'${param}'`);
  });

  test.each([
    [{ response_format: 'ogg' }, 'response_format'],
    [{ response_format: 'WAV' }, 'response_format'],
    [{ instructions: 'Whisper.' }, 'instructions'],
    [{ stream_format: 'xml' }, 'stream_format'],
  ])('as not supported: %j', async (rest, param) => {
    expect(await refusal(rest)).toMatchObject({ ...FAULT, param, code: 'unsupported_value' });
  });

  test.each(['alloy', '', 'Ann', { id: 'alloy' }])(
    'voice %j, with a list of the voices',
    async (voice) => {
      const error = await refusal({ voice });
      expect(error).toMatchObject({ ...FAULT, param: 'voice', code: null });
      expect(error.message).toContain('ann, bob, cleo');
    },
  );

  test('a text model', async () => {
    const error = await refusal({ model: MODEL });
    expect(error).toMatchObject({ ...FAULT, param: 'model', code: 'unsupported_value' });
    expect(error.message).toContain('v1/chat/completions');
  });

  test.each([
    ['/chat/completions', { messages: [{ role: 'user', content: 'Hi' }] }],
    ['/completions', { prompt: 'Hi' }],
  ])('a speech model, by POST %s', async (path, body) => {
    const api = await openApi();
    const error = await errorOf(await api.post(path, { ...body, model: SPEECH_MODEL }));
    expect(error).toMatchObject({ ...FAULT, param: 'model', code: 'unsupported_value' });
    expect(error.message).toContain('v1/audio/speech');
    expect(api.engine.runs).toEqual([]);
  });
});

describe('a request', () => {
  test.each([
    { instructions: '', stream_format: 'audio', response_format: 'wav' },
    { instructions: null, stream_format: null, response_format: null, speed: null },
    { lang_code: null, user: 'me', volume: 3 },
  ])('has what is absent in %j', async (rest) => {
    expect(await jobOf(rest)).toMatchObject({
      op: 'speak',
      model: SPEECH_MODEL,
      text: 'Good morning.',
      voice: 'ann',
      language: 'en-US',
      speed: 1,
      format: 'wav',
    });
  });

  test.each([0.25, 1, 1.5, 4])('speed %d', async (speed) => {
    expect((await jobOf({ speed })).speed).toBe(speed);
  });

  test('4,096 characters, each an emoji', async () => {
    expect((await jobOf({ input: '🙂'.repeat(4096) })).text).toHaveLength(8192);
  });
});

describe('lang_code', () => {
  test.each([
    ['ann', 'en', 'en-US'],
    ['ann', 'en-US', 'en-US'],
    ['ann', 'en_us', 'en-US'],
    ['ann', 'EN-us', 'en-US'],
    ['ann', 'en-Latn-US', 'en-US'],
    ['bob', 'en', 'en-GB'],
    ['bob', 'en-GB', 'en-GB'],
    ['cleo', 'fr', 'fr-FR'],
    ['cleo', 'de', 'de'],
    ['cleo', 'de-AT', 'de'],
  ])('of %s may be %s: %s', async (voice, lang_code, language) => {
    expect((await jobOf({ voice, lang_code })).language).toBe(language);
  });

  test.each([
    ['ann', 'en-GB'],
    ['ann', 'fr'],
    ['bob', 'en-US'],
    ['cleo', 'en'],
    ['cleo', 'fr-CA'],
  ])('of %s may not be %s', async (voice, lang_code) => {
    const error = await refusal({ voice, lang_code });
    expect(error).toMatchObject({ ...FAULT, param: 'lang_code', code: null });
    expect(error.message).toContain(`the voice '${voice}' speaks`);
  });
});

describe('POST /v1/audio/speech answers any body, or refuses it with a reason:', () => {
  const FIELDS = [
    ...['model', 'input', 'voice', 'response_format', 'speed', 'lang_code', 'instructions'],
    ...['stream_format', 'stream', '__proto__'],
  ];
  const nearlyRight = fc
    .tuple(
      fc.record(
        {
          model: fc.constantFrom(SPEECH_MODEL, MODEL),
          input: fc.string({ unit: 'binary' }),
          voice: fc.constantFrom('ann', 'bob', { id: 'cleo' }),
          speed: fc.double(),
          lang_code: fc.oneof(fc.string(), fc.constantFrom('en', 'fr_FR')),
        },
        { requiredKeys: [] },
      ),
      fc.dictionary(fc.constantFrom(...FIELDS), fc.jsonValue(), { maxKeys: 3 }),
    )
    .map(([base, rest]) => JSON.stringify({ ...base, ...rest }));

  test.each([
    ['nearly right fields', nearlyRight],
    ['any text', fc.oneof(fc.string({ unit: 'binary' }), fc.json())],
  ])('%s', async (_name, bodies) => {
    const api = await openApi();
    const check = async (body: string) => {
      const response = await api.post(PATH, body);
      if (response.status === 200) await response.arrayBuffer();
      else expect(await errorOf(response)).toMatchObject({ type: 'invalid_request_error' });
      expect([200, 400, 404]).toContain(response.status);
    };
    await fc.assert(fc.asyncProperty(bodies, check), { numRuns: 300 });
  });
});
