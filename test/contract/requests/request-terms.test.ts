import { describe, expect, test } from 'vitest';
import { contextOverflow, jobFault } from '../../../src/core/errors/errors.ts';
import { MODEL, openApi, SPEECH_MODEL } from '../support/api.ts';
import { dataOf, errorOf } from '../support/read.ts';
import { text } from '../support/test-engine.ts';

const CHAT = { model: MODEL, messages: [{ role: 'user', content: 'Hi' }] };
const COMPLETION = { model: MODEL, prompt: 'Hi' };
const SPEECH = { model: SPEECH_MODEL, input: 'Hi', voice: 'ann' };
const NAMED = { type: 'json_schema', json_schema: { schema: {} } };
const SIBLING = { type: 'json_object', schema: {} };

const bad = (part: Parameters<typeof jobFault>[0], path = '') =>
  jobFault(part, 'is bad.', { path });

describe('what an engine finds at fault in a job is blamed on the request’s field:', () => {
  test.each([
    ['/chat/completions', CHAT, bad('prompt'), 'messages'],
    ['/chat/completions', CHAT, bad('format'), 'response_format'],
    ['/chat/completions', CHAT, bad('logit_bias', '.5'), 'logit_bias.5'],
    ['/chat/completions', CHAT, bad('logprobs'), 'logprobs'],
    ['/chat/completions', CHAT, bad('tools'), 'tools'],
    [
      ...['/chat/completions', CHAT],
      ...[bad('tools', '[7].parameters.not'), 'tools[7].function.parameters.not'],
    ],
    [
      ...['/chat/completions', { ...CHAT, response_format: NAMED }],
      ...[bad('schema', '.not'), 'response_format.json_schema.schema.not'],
    ],
    [
      ...['/chat/completions', { ...CHAT, response_format: SIBLING }],
      ...[bad('schema', '.not'), 'response_format.schema.not'],
    ],
    ['/completions', COMPLETION, bad('prompt'), 'prompt'],
    ['/completions', COMPLETION, bad('logit_bias', '.5'), 'logit_bias.5'],
    ['/audio/speech', SPEECH, bad('text'), 'input'],
  ] as [string, object, Error, string][])('%s %j %s', async (path, body, fault, param) => {
    const api = await openApi();
    api.engine.next(fault);
    expect(await errorOf(await api.post(path, body))).toEqual({
      status: 400,
      type: 'invalid_request_error',
      code: null,
      param,
      message: `'${param}' is bad.`,
    });
  });

  test('a message that names no field stays as it is', async () => {
    const api = await openApi();
    api.engine.next(contextOverflow("8 tokens; the 'prompt' has 9"));
    expect(await errorOf(await api.post('/chat/completions', CHAT))).toMatchObject({
      code: 'context_length_exceeded',
      param: 'messages',
      message: "This model's maximum context length is 8 tokens; the 'prompt' has 9.",
    });
  });

  test('in the middle of a stream, too', async () => {
    const api = await openApi();
    api.engine.next(text('Hello'), bad('prompt'));
    const data = await dataOf(await api.post('/chat/completions', { ...CHAT, stream: true }));
    expect(JSON.parse(data.at(-1) ?? '')).toEqual({
      error: {
        type: 'invalid_request_error',
        code: null,
        param: 'messages',
        message: "'messages' is bad.",
      },
    });
  });
});
