import { expect, test } from 'vitest';
import { EMBEDDER, MODEL, RANKER, SPEECH_MODEL } from '../support/api.ts';
import { StrictEngine } from '../fuzz/fuzz-checks.ts';
import { quickApp } from '../support/quick-app.ts';

/** No field takes values of all these types. */
const VALUES: unknown[] = [{ nope: 1 }, [[1]], 7.5, true, 'nonsense', [7], -3];

const SCHEMA = { type: 'object', properties: {} };
const FUNCTION = { name: 'f', description: 'd', parameters: SCHEMA, strict: true };
const TOOL = { type: 'function', function: FUNCTION };
const NAMED = { type: 'function', function: { name: 'f' } };
const part = (type: string, text: string) => ({ type, text });
const asks = { role: 'user', name: 'u', content: [part('text', 'Hi')] };

const CHATS: object[] = [
  {
    messages: [
      { role: 'system', content: [part('text', 'S')] },
      asks,
      {
        role: 'assistant',
        content: null,
        reasoning_content: 'r',
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'c', content: '5' },
    ],
    tools: [TOOL],
    tool_choice: NAMED,
  },
  {
    messages: [asks],
    tools: [TOOL],
    tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [NAMED] } },
  },
  {
    messages: [asks],
    response_format: {
      type: 'json_schema',
      json_schema: { name: 'x', description: 'd', schema: SCHEMA, strict: true },
    },
    reasoning: { effort: 'low', enabled: true, max_tokens: 5 },
    stream: true,
    stream_options: { include_usage: true },
    logit_bias: { 5: 1 },
  },
  { messages: [asks], structured_outputs: { json: SCHEMA }, reasoning_effort: 'low' },
];

const RESPONSE = {
  input: [
    { type: 'message', role: 'user', content: [part('input_text', 'Hi')] },
    { type: 'reasoning', id: 'rs_1', summary: [], content: [part('reasoning_text', 'x')] },
    { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
    { type: 'function_call_output', call_id: 'c', output: '5' },
  ],
  tools: [{ type: 'function', ...FUNCTION }],
  tool_choice: {
    type: 'allowed_tools',
    mode: 'auto',
    tools: [{ type: 'function', name: 'f' }],
  },
  text: {
    format: { type: 'json_schema', name: 'x', description: 'd', schema: SCHEMA, strict: true },
  },
  reasoning: { effort: 'low', summary: 'auto' },
  include: ['reasoning.encrypted_content'],
  metadata: { a: 'b' },
  truncation: 'auto',
  background: false,
};

const MESSAGE = {
  max_tokens: 9,
  system: [part('text', 'S')],
  messages: [
    { role: 'user', content: [part('text', 'Hi')] },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 't' },
        { type: 'tool_use', id: 'c', name: 'f', input: {} },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'c', content: [part('text', '5')], is_error: true },
      ],
    },
  ],
  tools: [{ name: 'f', description: 'd', input_schema: SCHEMA }],
  tool_choice: { type: 'tool', name: 'f', disable_parallel_tool_use: true },
  thinking: { type: 'enabled', budget_tokens: 2000 },
  stop_sequences: ['x'],
};

const REQUESTS: [path: string, body: object][] = [
  ...CHATS.map((chat): [string, object] => ['/chat/completions', { model: MODEL, ...chat }]),
  ['/responses', { model: MODEL, ...RESPONSE }],
  ['/messages', { model: MODEL, ...MESSAGE }],
  ['/rerank', { model: RANKER, query: 'q', documents: [{ text: 'a' }, 'b'], top_n: 1 }],
  ['/embeddings', { model: EMBEDDER, input: ['a'], dimensions: 2, encoding_format: 'float' }],
  ['/audio/speech', { model: SPEECH_MODEL, voice: 'ann', input: 'Hi', speed: 1 }],
];

type Place = (string | number)[];

/** Every member and every item of a JSON value. Schemas are checked as such. */
function* places(value: unknown, path: Place = []): Generator<Place> {
  if (path.length > 0) yield path;
  if (typeof value !== 'object' || value === null || value === SCHEMA) return;
  for (const [key, inner] of Object.entries(value)) {
    yield* places(inner, [...path, Array.isArray(value) ? Number(key) : key]);
  }
}

function changed(value: unknown, [key, ...rest]: Place, other: unknown): unknown {
  if (key === undefined) return other;
  if (Array.isArray(value)) {
    return value.map((item: unknown, at): unknown =>
      at === key ? changed(item, rest, other) : item,
    );
  }
  const members = Object.entries(Object(value));
  return Object.fromEntries(
    members.map(([name, its]) => [name, name === key ? changed(its, rest, other) : its]),
  );
}

test.each(REQUESTS)(
  '%s: no member of %j is ignored if it has the wrong type',
  async (path, body) => {
    const { post } = quickApp(new StrictEngine());
    const status = async (sent: unknown) => (await post(path, JSON.stringify(sent))).status;
    expect(await status(body)).toBe(200);
    const ignored: string[] = [];
    for (const place of places(body)) {
      const statuses = await Promise.all(
        VALUES.map((value) => status(changed(body, place, value))),
      );
      if (!statuses.includes(400)) ignored.push(place.join('.'));
    }
    expect(ignored).toEqual([]);
  },
);
