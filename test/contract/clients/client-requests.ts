import { MODEL, SPEECH_MODEL } from '../support/api.ts';

/** A request in the shape that real clients send. */
export interface ClientRequest {
  name: string;
  path: '/chat/completions' | '/completions' | '/audio/speech';
  body: Record<string, unknown>;
}

const HI = [{ role: 'user', content: 'Hi' }];
const WITH_USAGE = { stream: true, stream_options: { include_usage: true } };

const weather = {
  type: 'object',
  properties: { city: { type: 'string' }, temp: { type: 'number' } },
  required: ['city', 'temp'],
  additionalProperties: false,
};
const DRAFT_7 = { $schema: 'http://json-schema.org/draft-07/schema#', ...weather };
const DRAFT_2020 = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  ...weather,
  title: 'w',
};

const chat = (name: string, rest: Record<string, unknown>): ClientRequest => ({
  name,
  path: '/chat/completions',
  body: { model: MODEL, messages: HI, ...rest },
});

const completion = (name: string, rest: Record<string, unknown>): ClientRequest => ({
  name,
  path: '/completions',
  body: { model: MODEL, prompt: 'Hi', ...rest },
});

const speech = (name: string, rest: Record<string, unknown>): ClientRequest => ({
  name,
  path: '/audio/speech',
  body: { model: SPEECH_MODEL, input: 'Hi', voice: 'ann', ...rest },
});

const asSchema = (json_schema: Record<string, unknown>) => ({
  response_format: { type: 'json_schema', json_schema: { name: 'w', ...json_schema } },
});

const WEATHER = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'w',
    parameters: {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
      additionalProperties: false,
    },
    strict: true,
  },
};
const NO_PARAMETERS = { type: 'function', function: { name: 'get_time' } };
const CALL = {
  id: 'call_1',
  type: 'function',
  function: { name: 'get_weather', arguments: '{"city":"Paris"}' },
};

const withTools = (name: string, rest: Record<string, unknown>): ClientRequest =>
  chat(`tools, ${name}`, { tools: [WEATHER], ...rest });

/** What the openai package, the AI SDK, LangChain and similar clients send. */
export const CLIENT_REQUESTS: readonly ClientRequest[] = [
  chat('least of all', {}),
  chat('said not to stream', { stream: false, temperature: 0, max_tokens: 9 }),
  chat('streamed', { stream: true }),
  chat('streamed with usage', WITH_USAGE),
  chat('streamed without padding', {
    stream: true,
    stream_options: { include_usage: false, include_obfuscation: false },
  }),
  chat('common parameters', {
    max_tokens: 20,
    temperature: 0,
    top_p: 0.9,
    seed: 1,
    stop: ['x'],
    frequency_penalty: 0.1,
    presence_penalty: 0.1,
  }),
  chat('what is for OpenAI alone', {
    max_completion_tokens: 5,
    temperature: 0,
    top_p: 1,
    n: 1,
    seed: 1,
    stop: ['x'],
    frequency_penalty: 0,
    presence_penalty: 0,
    logit_bias: {},
    user: 'u',
    store: false,
    metadata: { a: 'b' },
    service_tier: 'auto',
    reasoning_effort: 'low',
    verbosity: 'low',
    parallel_tool_calls: false,
    safety_identifier: 's',
    prompt_cache_key: 'p',
    prompt_cache_retention: '24h',
    modalities: ['text'],
    logprobs: false,
    prediction: { type: 'content', content: 'Hi' },
  }),
  chat('null for everything that is not wanted', {
    max_tokens: null,
    max_completion_tokens: null,
    temperature: null,
    top_p: null,
    top_k: null,
    min_p: null,
    seed: null,
    stop: null,
    n: null,
    logit_bias: null,
    frequency_penalty: null,
    presence_penalty: null,
    repetition_penalty: null,
    stream: null,
    stream_options: null,
    tools: null,
    tool_choice: null,
    functions: null,
    function_call: null,
    response_format: null,
    logprobs: null,
    top_logprobs: null,
    parallel_tool_calls: null,
    modalities: null,
    audio: null,
    reasoning_effort: null,
    chat_template_kwargs: null,
    user: null,
  }),
  chat('nothing in lists and texts', { tools: [], stop: [], logit_bias: {}, user: '' }),
  chat('an empty stop string', { stop: '' }),
  chat('any integer as seed', { seed: -1 }),
  chat('a field nobody knows', { cache_prompt: true, best_effort: { of: 3 }, 'x y': null }),
  chat('a developer', {
    messages: [
      { role: 'developer', content: 'Be brief.' },
      { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
    ],
    reasoning_effort: 'minimal',
    max_completion_tokens: 20,
  }),
  chat('answers with all that they came with', {
    messages: [
      ...HI,
      {
        role: 'assistant',
        content: 'Hello.',
        refusal: null,
        annotations: [],
        audio: null,
        reasoning_content: 'A greeting.',
        tool_calls: null,
        function_call: null,
        name: 'bot',
      },
      { role: 'assistant', content: null },
      { role: 'assistant' },
      { role: 'user', content: '', name: 'Ann' },
    ],
  }),
  chat('content in parts', {
    messages: [
      {
        role: 'system',
        content: [
          { type: 'text', text: 'Be' },
          { type: 'text', text: ' brief.' },
        ],
      },
      { role: 'user', content: [] },
      { role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] },
    ],
  }),
  chat('free text, said so', { response_format: { type: 'text' } }),
  chat('any JSON', { response_format: { type: 'json_object' } }),
  chat('any JSON, streamed', { response_format: { type: 'json_object' }, ...WITH_USAGE }),
  chat('JSON under a draft 7 schema', asSchema({ strict: true, schema: DRAFT_7 })),
  chat('JSON under a draft 2020-12 schema', asSchema({ strict: true, schema: DRAFT_2020 })),
  chat('JSON under a schema, streamed', { ...asSchema({ schema: weather }), stream: true }),
  chat('JSON under hardly any schema', asSchema({ schema: { type: 'object' } })),
  chat('thinking, or not', { chat_template_kwargs: { enable_thinking: false } }),
  withTools('least of all', {}),
  withTools('to choose from', { tool_choice: 'auto', parallel_tool_calls: true, stream: false }),
  withTools('one of them asked for', {
    tool_choice: { type: 'function', function: { name: 'get_weather' } },
  }),
  withTools('one of them needed, streamed', { tool_choice: 'required', ...WITH_USAGE }),
  withTools('none of them wanted', { tool_choice: 'none' }),
  withTools('without parameters or a description', {
    tools: [
      NO_PARAMETERS,
      { type: 'function', function: { name: 'a', description: '', parameters: {} } },
      { function: { name: 'b', parameters: { type: 'object', properties: {} }, strict: null } },
    ],
  }),
  withTools('called before', {
    messages: [
      ...HI,
      { role: 'assistant', content: null, tool_calls: [CALL] },
      { role: 'tool', tool_call_id: 'call_1', content: '{"t":20}' },
    ],
  }),
  withTools('called before, as others write it', {
    messages: [
      ...HI,
      { role: 'assistant', content: '', tool_calls: [CALL, { ...CALL, id: 'call_2' }] },
      { role: 'tool', tool_call_id: 'call_2', content: [{ type: 'text', text: '20' }] },
      { role: 'tool', tool_call_id: 'call_1', content: '', name: 'get_weather' },
      { role: 'assistant', tool_calls: [{ ...CALL, id: 'x' }] },
      { role: 'tool', tool_call_id: 'x', content: '20' },
      { role: 'assistant', content: 'It is mild.', tool_calls: [] },
      ...HI,
    ],
    stream: true,
  }),
  chat('logprobs', { logprobs: true, top_logprobs: 2, ...WITH_USAGE }),
  chat('several answers', { n: 1, top_k: 40, min_p: 0.05, repetition_penalty: 1.1 }),
  completion('least of all', {}),
  completion('one prompt in a list', { prompt: ['Hi'], n: 1, stream: false }),
  completion('streamed', { stream: true }),
  completion('turns in plain text', {
    prompt: 'user:\nHi\n\nassistant:\n',
    stop: ['\nuser:'],
    ...WITH_USAGE,
  }),
  completion('what is not wanted, said so', {
    suffix: '',
    echo: false,
    best_of: 1,
    n: 1,
    logprobs: null,
    logit_bias: {},
    user: 'u',
  }),
  speech('least of all', {}),
  speech('what is usual, said so', { response_format: 'wav', speed: 1 }),
  speech('MP3', { response_format: 'mp3', stream_format: 'audio', instructions: '' }),
  speech('null for everything that is not wanted', {
    response_format: null,
    speed: null,
    instructions: null,
    lang_code: null,
  }),
];
