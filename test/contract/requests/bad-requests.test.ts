import { describe, expect, test } from 'vitest';
import { MODEL, openApi } from '../support/api.ts';
import { errorOf } from '../support/read.ts';

const MESSAGES = [{ role: 'user', content: 'Hi' }];
const CHAT = { model: MODEL, messages: MESSAGES };
const COMPLETION = { model: MODEL, prompt: 'Hi' };

async function refusal(path: string, body: unknown) {
  const api = await openApi();
  const error = await errorOf(await api.post(path, body));
  expect(api.engine.runs).toEqual([]);
  return error;
}

const chatRefusal = (rest: object) => refusal('/chat/completions', { ...CHAT, ...rest });
const completionRefusal = (rest: object) => refusal('/completions', { ...COMPLETION, ...rest });

describe.each(['/chat/completions', '/completions'])('the body of POST %s', (path) => {
  test.each([
    ['', 'The request body is empty.'],
    ['  \n', 'The request body is empty.'],
    ['{"model": ', 'The request body is not JSON'],
    ['model=a&prompt=b', 'The request body is not JSON'],
    ['[]', 'The request body must be a JSON object.'],
    ['"text"', 'The request body must be a JSON object.'],
    ['null', 'The request body must be a JSON object.'],
  ])('%j is refused as malformed', async (body, message) => {
    const error = await refusal(path, body);
    expect(error).toMatchObject({
      status: 400,
      type: 'invalid_request_error',
      code: null,
      param: null,
      message: expect.stringContaining(message),
    });
  });

  test.each(['messages', 'input', 'tools', 'anything'])(
    'with hundreds of thousands of values in %s is refused at once',
    async (field) => {
      const api = await openApi();
      const body = `{"model":"${MODEL}","${field}":[${Array(300_000).fill('{}').join()}]}`;
      const error = await errorOf(await api.post('/chat/completions', body));
      expect(error).toMatchObject({ status: 413, code: 'request_too_large' });
    },
  );

  test('that is not UTF-8 is refused', async () => {
    const api = await openApi();
    const response = await api.post(path, '', { body: new Uint8Array([0x7b, 0xff, 0x7d]) });
    expect(await errorOf(response)).toMatchObject({
      status: 400,
      code: null,
      param: null,
      message: 'The request body is not valid UTF-8.',
    });
  });

  test('that ends with an error while it is read is refused', async () => {
    const api = await openApi();
    const body = new ReadableStream({
      start: (controller) => controller.error(new Error('Gone.')),
    });
    // Node needs it for a stream; the types of browsers do not know it.
    const init = { body, duplex: 'half' };
    const response = await api.post(path, '', init);
    expect(await errorOf(response)).toMatchObject({
      status: 400,
      code: null,
      param: null,
      message: 'The request body could not be read.',
    });
  });

  test('over the limit is 413', async () => {
    const api = await openApi();
    const response = await api.post(path, ' '.repeat(32 * 1024 * 1024 + 1));
    expect(await errorOf(response)).toMatchObject({
      status: 413,
      type: 'invalid_request_error',
      code: 'request_too_large',
      param: null,
    });
  });

  test('as large as the limit is read', async () => {
    const api = await openApi();
    const response = await api.post(path, ' '.repeat(32 * 1024 * 1024));
    expect(await errorOf(response)).toMatchObject({ status: 400 });
  });
});

const COMMON_FAULTS: [object, string][] = [
  [{ model: undefined }, 'model'],
  [{ model: null }, 'model'],
  [{ model: 7 }, 'model'],
  [{ model: '' }, 'model'],
  [{ temperature: 2.1 }, 'temperature'],
  [{ temperature: -0.1 }, 'temperature'],
  [{ temperature: '0.5' }, 'temperature'],
  [{ top_p: 1.1 }, 'top_p'],
  [{ top_p: -1 }, 'top_p'],
  [{ frequency_penalty: 2.5 }, 'frequency_penalty'],
  [{ presence_penalty: -2.5 }, 'presence_penalty'],
  [{ repetition_penalty: 0 }, 'repetition_penalty'],
  [{ max_tokens: 0 }, 'max_tokens'],
  [{ max_tokens: 1.5 }, 'max_tokens'],
  [{ max_tokens: '5' }, 'max_tokens'],
  [{ seed: 1.5 }, 'seed'],
  [{ n: 0 }, 'n'],
  [{ n: 9 }, 'n'],
  [{ n: 1.5 }, 'n'],
  [{ top_k: -2 }, 'top_k'],
  [{ top_k: 1.5 }, 'top_k'],
  [{ top_k: '40' }, 'top_k'],
  [{ min_p: -0.1 }, 'min_p'],
  [{ min_p: 1.1 }, 'min_p'],
  [{ min_p: '0.1' }, 'min_p'],
  [{ stop: 7 }, 'stop'],
  [{ stop: ['a', 7] }, 'stop'],
  [{ stop: Array(65).fill('x') }, 'stop'],
  [{ stream: 'true' }, 'stream'],
  [{ stream_options: true }, 'stream_options'],
  [{ stream_options: [] }, 'stream_options'],
  [{ stream_options: { include_usage: 1 } }, 'stream_options.include_usage'],
  [{ logit_bias: [1] }, 'logit_bias'],
  [{ logit_bias: { 5: 101 } }, 'logit_bias.5'],
  [{ logit_bias: { hello: 1 } }, 'logit_bias.hello'],
];

const CHAT_FAULTS: [object, string][] = [
  [{ messages: undefined }, 'messages'],
  [{ messages: 'Hi' }, 'messages'],
  [{ messages: ['Hi'] }, 'messages[0]'],
  [{ messages: [[]] }, 'messages[0]'],
  [{ messages: [{ content: 'Hi' }] }, 'messages[0].role'],
  [{ messages: [...MESSAGES, { role: 'robot', content: 'Hi' }] }, 'messages[1].role'],
  [{ messages: [{ role: 'function', name: 'f', content: '1' }] }, 'messages[0].role'],
  [{ messages: [...MESSAGES, { role: 'user', content: 7 }] }, 'messages[1].content'],
  [{ messages: [{ role: 'user' }] }, 'messages[0].content'],
  [{ messages: [{ role: 'system', content: null }] }, 'messages[0].content'],
  [{ messages: [{ role: 'user', content: [{ type: 'text' }] }] }, 'messages[0].content[0].text'],
  [{ messages: [{ role: 'user', content: 'Hi', name: 7 }] }, 'messages[0].name'],
  [{ max_completion_tokens: 0 }, 'max_completion_tokens'],
  [{ response_format: 'json' }, 'response_format'],
  [{ response_format: {} }, 'response_format.type'],
  [{ logprobs: 'yes' }, 'logprobs'],
  [{ logprobs: 3 }, 'logprobs'],
  [{ logprobs: true, top_logprobs: -1 }, 'top_logprobs'],
  [{ logprobs: true, top_logprobs: 21 }, 'top_logprobs'],
  [{ logprobs: true, top_logprobs: 0.5 }, 'top_logprobs'],
  [{ logprobs: true, top_logprobs: true }, 'top_logprobs'],
  // The logprobs of the tokens themselves are not asked for.
  [{ top_logprobs: 2 }, 'top_logprobs'],
  [{ logprobs: false, top_logprobs: 2 }, 'top_logprobs'],
  [{ modalities: 'text' }, 'modalities'],
  [{ reasoning_effort: 'much' }, 'reasoning_effort'],
  [{ chat_template_kwargs: [] }, 'chat_template_kwargs'],
];

const COMPLETION_FAULTS: [object, string][] = [
  [{ prompt: undefined }, 'prompt'],
  [{ prompt: null }, 'prompt'],
  [{ prompt: { text: 'Hi' } }, 'prompt'],
  [{ prompt: '' }, 'prompt'],
  [{ prompt: ['a', ''] }, 'prompt[1]'],
  [{ suffix: 7 }, 'suffix'],
  [{ echo: 'yes' }, 'echo'],
  [{ best_of: 0 }, 'best_of'],
];

const FAULT = { status: 400, type: 'invalid_request_error', code: null };

describe('a field of the wrong type or out of range', () => {
  test.each([...COMMON_FAULTS, ...CHAT_FAULTS])('in chat: %j', async (rest, param) => {
    const error = await chatRefusal(rest);
    expect(error).toMatchObject({ ...FAULT, param });
    expect(error.message).toContain(`'${param}'`);
  });

  test.each([...COMMON_FAULTS, ...COMPLETION_FAULTS])('in completions: %j', async (rest, param) => {
    const error = await completionRefusal(rest);
    expect(error).toMatchObject({ ...FAULT, param });
    expect(error.message).toContain(`'${param}'`);
  });

  test('is reported as required if it is missing', async () => {
    expect((await chatRefusal({ model: undefined })).message).toBe("'model' is required.");
  });
});

test('no messages at all is empty_array', async () => {
  expect(await chatRefusal({ messages: [] })).toMatchObject({
    status: 400,
    type: 'invalid_request_error',
    code: 'empty_array',
    param: 'messages',
  });
});

const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,' } };

const COMMON_LACKS: [object, string][] = [[{ guided_grammar: 'root' }, 'guided_grammar']];

const CHAT_LACKS: [object, string][] = [
  [{ messages: [{ role: 'user', content: [image] }] }, 'messages[0].content[0].image_url'],
  [
    { messages: [{ role: 'user', content: [{ type: 'text', text: '?' }, image] }] },
    'messages[0].content[1].image_url',
  ],
  [
    { messages: [{ role: 'user', content: [{ type: 'input_audio', input_audio: {} }] }] },
    'messages[0].content[0]',
  ],
  [
    { messages: [...MESSAGES, { role: 'assistant', content: null, function_call: {} }] },
    'messages[1].function_call',
  ],
  [{ functions: [{ name: 'f' }] }, 'functions'],
  [{ function_call: { name: 'f' } }, 'function_call'],
  [{ modalities: ['text', 'video'] }, 'modalities[1]'],
];

const COMPLETION_LACKS: [object, string][] = [
  [{ best_of: 2, stream: true }, 'best_of'],
  [{ prompt: [1, 2, 3] }, 'prompt'],
  [{ prompt: [[1, 2, 3]] }, 'prompt'],
  [{ prompt: [] }, 'prompt'],
];

const LACK = { status: 400, type: 'invalid_request_error', code: 'unsupported_value' };

describe('a feature that is missing is refused if it is asked for', () => {
  test.each([...COMMON_LACKS, ...CHAT_LACKS])('in chat: %j', async (rest, param) => {
    expect(await chatRefusal(rest)).toMatchObject({ ...LACK, param });
  });

  test.each([...COMMON_LACKS, ...COMPLETION_LACKS])('in completions: %j', async (rest, param) => {
    expect(await completionRefusal(rest)).toMatchObject({ ...LACK, param });
  });

  test.each([
    { tools: [], tool_choice: 'auto' },
    { tool_choice: 'none', parallel_tool_calls: true },
    { response_format: { type: 'text' } },
    { logprobs: false, top_logprobs: 0 },
    { modalities: ['text'] },
    { n: 1, stream: true },
    { top_k: 0 },
    { top_k: -1, min_p: 0 },
  ])('is not asked for by %j', async (rest) => {
    const api = await openApi();
    expect((await api.post('/chat/completions', { ...CHAT, ...rest })).status).toBe(200);
  });
});
