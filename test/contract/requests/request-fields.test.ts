import { describe, expect, test } from 'vitest';
import { chatRequestSchema } from '../../../sw/chat/chat-request.ts';
import { completionRequestSchema } from '../../../sw/completions/completion-request.ts';
import { MODEL, openApi } from '../support/api.ts';
import { errorOf } from '../support/read.ts';
import { NO_NUMBER, NO_INTEGER, NO_TEXT, NO_FLAG, NO_OBJECT, NO_LIST } from './wrong-types.ts';

/** A field of a request: which values are accepted, and which are refused with which path. */
interface Field {
  name: string;
  takes: unknown[];
  /** Values that are refused; a `Refused` if the error blames another path than the field itself. */
  refuses?: unknown[];
  /** Other fields that it needs. */
  beside?: object;
  isRequired?: true;
}

class Refused {
  readonly value: unknown;
  readonly param: string;

  constructor(value: unknown, param: string) {
    this.value = value;
    this.param = param;
  }
}

const refused = (value: unknown, param: string) => new Refused(value, param);

const user = { role: 'user', content: 'Hi' };

const COMMON: Field[] = [
  { name: 'model', takes: [MODEL], refuses: [...NO_TEXT, ''], isRequired: true },
  { name: 'max_tokens', takes: [1, 4096, -1], refuses: [...NO_INTEGER, 0, -2] },
  { name: 'temperature', takes: [0, 0.7, 2], refuses: [...NO_NUMBER, -0.01, 2.01] },
  { name: 'top_p', takes: [0, 0.5, 1], refuses: [...NO_NUMBER, -0.01, 1.01] },
  { name: 'top_k', takes: [-1, 0, 1, 1e6], refuses: [...NO_INTEGER, -2] },
  { name: 'min_p', takes: [0, 0.5, 1], refuses: [...NO_NUMBER, -0.01, 1.01] },
  { name: 'stop', takes: ['x', '', [], ['x'], Array(64).fill('x')], refuses: [7, true, {}, [7]] },
  { name: 'stop', takes: [], refuses: [Array(65).fill('x')] },
  { name: 'seed', takes: [0, 7, -7, 2 ** 53, 1e300], refuses: NO_INTEGER },
  { name: 'frequency_penalty', takes: [-2, 0, 2], refuses: [...NO_NUMBER, -2.01, 2.01] },
  { name: 'presence_penalty', takes: [-2, 0, 2], refuses: [...NO_NUMBER, -2.01, 2.01] },
  { name: 'repetition_penalty', takes: [0.1, 1, 10], refuses: [...NO_NUMBER, 0, -1, 10.1] },
  {
    name: 'logit_bias',
    takes: [{}, { 0: 100 }, { 42: -100 }],
    refuses: [
      ...NO_OBJECT,
      ...[refused({ 5: 100.1 }, 'logit_bias.5'), refused({ 5: '1' }, 'logit_bias.5')],
      ...[refused({ hi: 1 }, 'logit_bias.hi'), refused({ '-1': 1 }, 'logit_bias.-1')],
    ],
  },
  { name: 'stream', takes: [false, true], refuses: NO_FLAG },
  {
    name: 'stream_options',
    takes: [
      ...[{}, { include_usage: true }, { include_usage: null }, { include_obfuscation: 7 }],
      { continuous_usage_stats: true },
    ],
    refuses: [
      ...NO_OBJECT,
      refused({ include_usage: 1 }, 'stream_options.include_usage'),
      refused({ continuous_usage_stats: 1 }, 'stream_options.continuous_usage_stats'),
    ],
    beside: { stream: true },
  },
  // Without `stream` they are ignored.
  { name: 'stream_options', takes: [{ include_usage: true }] },
  { name: 'n', takes: [1, 2, 8], refuses: [...NO_INTEGER, 0, 9] },
  { name: 'n', takes: [1, 2], beside: { stream: true } },
  { name: 'min_tokens', takes: [0, 3], refuses: [...NO_INTEGER, -1] },
  { name: 'ignore_eos', takes: [false, true], refuses: NO_FLAG },
  {
    name: 'stop_token_ids',
    takes: [[], [7]],
    refuses: [...NO_LIST, refused([0.5], 'stop_token_ids[0]')],
  },
  { name: 'include_stop_str_in_output', takes: [false, true], refuses: NO_FLAG },
  { name: 'skip_special_tokens', takes: [false, true], refuses: NO_FLAG },
  { name: 'timings_per_token', takes: [false, true], refuses: NO_FLAG },
  { name: 'return_progress', takes: [false, true], refuses: NO_FLAG },
  {
    name: 'response_format',
    takes: [{ type: 'text' }, { type: 'json_object' }],
    refuses: [
      ...NO_OBJECT,
      ...[refused({}, 'response_format.type'), refused({ type: 'xml' }, 'response_format.type')],
      refused({ type: 'json_schema' }, 'response_format.json_schema'),
      refused({ type: 'json_schema', json_schema: {} }, 'response_format.json_schema.schema'),
    ],
  },
  {
    name: 'structured_outputs',
    takes: [{}, { json: { type: 'string' } }, { json_object: true }, { choice: ['a'] }],
    refuses: [
      ...NO_OBJECT,
      ...[refused({ regex: 7 }, 'structured_outputs.regex')],
      refused({ choice: [] }, 'structured_outputs.choice'),
      refused({ grammar: 'root' }, 'structured_outputs.grammar'),
    ],
  },
  { name: 'guided_json', takes: [{ type: 'string' }, '{}', true], refuses: ['{', 7] },
  { name: 'guided_regex', takes: ['a+'], refuses: [...NO_TEXT, '('] },
  { name: 'guided_choice', takes: [['a', 'b']], refuses: [...NO_LIST, []] },
  { name: 'guided_grammar', takes: [], refuses: ['root ::= "a"', {}] },
  { name: 'grammar', takes: [''], refuses: ['root ::= "a"'] },
  { name: 'json_schema', takes: [{ type: 'string' }], refuses: [7] },
];

const tool = { type: 'function', function: { name: 'f', parameters: {} } };

const CHAT: Field[] = [
  {
    name: 'messages',
    takes: [[user], [{ ...user, name: 'Ann', refusal: null, unknown: 7 }]],
    refuses: [
      ...[7, 'Hi', true, {}, []],
      ...[refused(['Hi'], 'messages[0]'), refused([user, []], 'messages[1]')],
      refused([{ content: 'Hi' }], 'messages[0].role'),
      refused([{ ...user, role: 'robot' }], 'messages[0].role'),
      refused([{ ...user, content: 7 }], 'messages[0].content'),
      refused([{ ...user, name: 7 }], 'messages[0].name'),
      refused([user, { role: 'assistant', audio: { id: 'a' } }], 'messages[1].audio.id'),
      refused([{ ...user, audio: { id: 'a' } }], 'messages[0].audio'),
    ],
    isRequired: true,
  },
  { name: 'max_completion_tokens', takes: [1, 4096], refuses: [...NO_INTEGER, 0] },
  { name: 'tools', takes: [[], [tool]], refuses: [...NO_LIST, refused([7], 'tools[0]')] },
  {
    name: 'tool_choice',
    takes: ['auto', 'none', 'required', { type: 'function', function: { name: 'f' } }],
    refuses: [7, 'perhaps', [], refused({}, 'tool_choice.type')],
    beside: { tools: [tool] },
  },
  { name: 'tool_choice', takes: ['auto', 'none'], refuses: ['required'] },
  { name: 'parallel_tool_calls', takes: [false, true], refuses: NO_FLAG },
  { name: 'functions', takes: [], refuses: [[{ name: 'f' }]] },
  { name: 'function_call', takes: [], refuses: [{ name: 'f' }, 'auto'] },
  { name: 'logprobs', takes: [false, true], refuses: NO_FLAG },
  {
    name: 'top_logprobs',
    takes: [0, 20],
    refuses: [...NO_INTEGER, -1, 21],
    beside: { logprobs: true },
  },
  { name: 'top_logprobs', takes: [0], refuses: [1] },
  {
    name: 'audio',
    takes: [{ voice: 'ann', format: 'wav' }],
    refuses: [7, 'ann', refused({ voice: 'ann', format: 'midi' }, 'audio.format')],
    beside: { modalities: ['text', 'audio'] },
  },
  { name: 'prompt_cache_key', takes: ['k', ''], refuses: NO_TEXT },
  { name: 'prompt_cache_options', takes: [{}, { mode: 'explicit' }], refuses: NO_OBJECT },
  { name: 'prompt_cache_retention', takes: ['in_memory', '24h'], refuses: [...NO_TEXT, '12h'] },
  { name: 'prediction', takes: [{ type: 'content', content: 'Hi' }], refuses: NO_OBJECT },
  { name: 'moderation', takes: [], refuses: [{ model: 'omni-moderation-latest' }] },
  { name: 'web_search_options', takes: [], refuses: [{}, { search_context_size: 'low' }] },
  {
    name: 'modalities',
    takes: [['text'], []],
    refuses: [...NO_LIST, refused(['text', 'audio'], 'audio'), refused(['video'], 'modalities[0]')],
  },
  {
    name: 'reasoning_effort',
    takes: ['none', 'minimal', 'low', 'medium', 'high'],
    refuses: [...NO_TEXT, 'much'],
  },
  {
    name: 'reasoning',
    takes: [{}, { effort: 'low', enabled: true, exclude: false, max_tokens: 9 }],
    refuses: [
      ...NO_OBJECT,
      refused({ effort: 'much' }, 'reasoning.effort'),
      refused({ max_tokens: 0 }, 'reasoning.max_tokens'),
    ],
  },
  { name: 'include_reasoning', takes: [false, true], refuses: NO_FLAG },
  { name: 'reasoning_format', takes: ['auto', 'deepseek'], refuses: [...NO_TEXT, 'none', 'x'] },
  { name: 'continue_final_message', takes: [false], refuses: [...NO_FLAG, true] },
  {
    name: 'continue_final_message',
    takes: [true],
    beside: { messages: [user, { role: 'assistant', content: 'So' }] },
  },
  { name: 'add_generation_prompt', takes: [false, true], refuses: NO_FLAG },
  {
    name: 'chat_template_kwargs',
    takes: [{}, { enable_thinking: false }],
    refuses: NO_OBJECT,
  },
];

const COMPLETION: Field[] = [
  {
    name: 'prompt',
    takes: ['Hi', ['Hi'], ['a', 'b']],
    refuses: [7, true, {}, '', [], refused([''], 'prompt[0]'), [1, 2], [[1, 2]]],
    isRequired: true,
  },
  { name: 'suffix', takes: ['', 'The end.'], refuses: NO_TEXT },
  { name: 'echo', takes: [false, true], refuses: NO_FLAG },
  { name: 'max_tokens', takes: [0], refuses: [-2], beside: { echo: true } },
  { name: 'best_of', takes: [1, 2, 8], refuses: [...NO_INTEGER, 0, 9] },
  { name: 'best_of', takes: [2, 3], refuses: [1], beside: { n: 2 } },
  { name: 'best_of', takes: [1], refuses: [2], beside: { stream: true } },
  { name: 'logprobs', takes: [0, 5, 20], refuses: [...NO_INTEGER, -1, 21] },
];

/** Fields that configure OpenAI's own service: accepted with any value, and ignored. */
const IGNORED = [
  ...['store', 'metadata', 'service_tier', 'user', 'safety_identifier'],
  ...['verbosity', 'a_field_that_nobody_knows'],
];

const ENDPOINTS = [
  {
    path: '/chat/completions',
    base: { model: MODEL, messages: [user] },
    fields: [...COMMON, ...CHAT],
    schema: chatRequestSchema,
  },
  {
    path: '/completions',
    base: { model: MODEL, prompt: 'Hi' },
    fields: [...COMMON, ...COMPLETION],
    schema: completionRequestSchema,
  },
];

/** Sends it. A refused request must not reach the engine. */
async function send(path: string, body: object) {
  const api = await openApi();
  const { n, best_of } = body as { n?: unknown; best_of?: unknown };
  const asked = Math.max(...[n, best_of].map((count) => (typeof count === 'number' ? count : 1)));
  if (asked > 1) {
    const usage = { promptTokens: 1, completionTokens: 1, cachedTokens: 0 };
    api.engine.always(
      ...Array.from({ length: asked }, () => ({ type: 'finish', reason: 'stop', usage }) as const),
    );
  }
  const response = await api.post(path, body);
  if (response.status !== 200) expect(api.engine.runs).toEqual([]);
  return response;
}

describe.each(ENDPOINTS)('$path', ({ path, base, fields, schema }) => {
  const taken = fields.flatMap(({ name, takes, beside }) =>
    takes.map((value) => ({ name, value, body: { ...base, ...beside, [name]: value } })),
  );
  const refusals = fields.flatMap(({ name, refuses = [], beside }) =>
    refuses.map((each) => {
      const { value, param } = each instanceof Refused ? each : refused(each, name);
      return { name, value, param, body: { ...base, ...beside, [name]: value } };
    }),
  );
  const optional = [...new Set(fields.filter((it) => !it.isRequired).map(({ name }) => name))];
  const required = fields.filter(({ isRequired }) => isRequired).map(({ name }) => name);

  test('has each of its fields in this table', () => {
    const known = schema.pipe[1].entries;
    expect(new Set(fields.map(({ name }) => name))).toEqual(new Set(Object.keys(known)));
  });

  test.each(taken)('accepts $name: $value', async ({ body }) => {
    const response = await send(path, body);
    expect([response.status, await response.text()]).toEqual([200, expect.anything()]);
  });

  test.each(refusals)('refuses $name: $value, and blames $param', async ({ body, param }) => {
    const error = await errorOf(await send(path, body));
    expect(error).toMatchObject({ status: 400, type: 'invalid_request_error', param });
    expect(error.message).not.toBe('');
  });

  test.each([...optional, ...IGNORED])('accepts %s: null for its absence', async (name) => {
    expect((await send(path, { ...base, [name]: null })).status).toBe(200);
  });

  test.each(required)('requires %s: null means absent', async (name) => {
    for (const value of [null, undefined]) {
      const error = await errorOf(await send(path, { ...base, [name]: value }));
      expect(error).toMatchObject({ status: 400, param: name });
    }
  });

  test.each(IGNORED)('ignores %s, whatever it is', async (name) => {
    for (const value of ['text', 7, true, [], {}]) {
      expect((await send(path, { ...base, [name]: value })).status).toBe(200);
    }
  });
});
