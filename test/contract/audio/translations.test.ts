import { describe, expect, test } from 'vitest';
import { openApi } from '../support/api.ts';
import { errorOf, json } from '../support/read.ts';
import { send } from './send-recording.ts';

describe('POST /v1/audio/translations', () => {
  test('asks the model for English, whatever the language is', async () => {
    const api = await openApi();
    const response = await send(api, { response_format: 'verbose_json' }, '/audio/translations');
    expect(await json(response)).toMatchObject({ task: 'translate', text: 'Hello there.' });
    expect(api.engine.transcriptions[0]?.job).toMatchObject({ task: 'translate' });
    expect(api.engine.transcriptions[0]?.job.language).toBeUndefined();
  });

  test.each([
    [{ stream: 'true' }, 'stream'],
    [{ language: 'de' }, 'language'],
    [
      { 'timestamp_granularities[]': 'segment', response_format: 'verbose_json' },
      'timestamp_granularities',
    ],
    [
      { timestamp_granularities: 'word', response_format: 'verbose_json' },
      'timestamp_granularities',
    ],
  ])('refuses %o, which only transcriptions have', async (fields, param) => {
    const api = await openApi();
    const error = await errorOf(await send(api, fields, '/audio/translations'));
    expect(error).toMatchObject({
      status: 400,
      param,
      code: 'unsupported_value',
      message: `Translations have no '${param}'.`,
    });
    expect(api.engine.transcriptions).toEqual([]);
  });

  test('takes a prompt, a temperature and every format', async () => {
    const api = await openApi();
    for (const response_format of ['json', 'text', 'srt', 'vtt', 'verbose_json']) {
      const fields = { prompt: 'Ann', temperature: '0.4', response_format, stream: 'false' };
      expect((await send(api, fields, '/audio/translations')).status).toBe(200);
    }
    expect(api.engine.transcriptions[0]?.job).toMatchObject({
      task: 'translate',
      prompt: 'Ann',
      temperature: 0.4,
    });
  });
});
