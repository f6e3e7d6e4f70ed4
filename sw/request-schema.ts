import * as v from 'valibot';

/** A field that may be absent; null means absent, everywhere in the API. */
const optional = <S extends v.GenericSchema>(schema: S) => v.nullish(schema);

/** JSON's objects only: to Valibot an array is an object as well. */
const object = <E extends v.ObjectEntries>(entries: E, message = 'must be an object') =>
  v.pipe(noArray(message), v.object(entries, message));

const record = <V extends v.GenericSchema, K extends v.GenericSchema<string>>(key: K, value: V) =>
  v.pipe(noArray('must be an object'), v.record(key, value, 'must be an object'));

const noArray = (message: string) =>
  v.pipe(
    v.unknown(),
    v.check((value) => !Array.isArray(value), message),
  );

const numberIn = (min: number, max: number) =>
  optional(
    v.pipe(
      v.number('must be a number'),
      v.check((x) => x >= min && x <= max, `must be between ${min} and ${max}`),
    ),
  );

const integerFrom = (min: number) =>
  optional(
    v.pipe(
      v.number('must be an integer'),
      v.integer('must be an integer'),
      v.minValue(min, `must be at least ${min}`),
    ),
  );

const integerIn = (min: number, max: number) =>
  optional(
    v.pipe(
      v.number('must be an integer'),
      v.integer('must be an integer'),
      v.check((x) => x >= min && x <= max, `must be between ${min} and ${max}`),
    ),
  );

const stop = optional(
  v.union(
    [
      v.pipe(
        v.string(),
        v.transform((text) => [text]),
      ),
      v.pipe(v.array(v.string()), v.maxLength(4, 'must hold at most 4 strings')),
    ],
    'must be a string or an array of at most 4 strings',
  ),
);

const logitBias = optional(
  record(
    v.pipe(v.string(), v.regex(/^\d+$/, 'must have token ids as keys')),
    v.pipe(
      v.number('must be a number'),
      v.check((x) => x >= -100 && x <= 100, 'must be between -100 and 100'),
    ),
  ),
);

/** How many answers one request may ask for: they are made one after the other. */
const MAX_CHOICES = 8;
/** The OpenAI API's own limit. */
const MAX_TOP_LOGPROBS = 20;

/** What chat and text completion have in common. */
const commonEntries = {
  model: v.pipe(v.string('must be a string'), v.nonEmpty('must not be empty')),
  max_tokens: integerFrom(1),
  temperature: numberIn(0, 2),
  top_p: numberIn(0, 1),
  /** 0 and -1 mean all, as in vLLM. */
  top_k: integerFrom(-1),
  min_p: numberIn(0, 1),
  frequency_penalty: numberIn(-2, 2),
  presence_penalty: numberIn(-2, 2),
  repetition_penalty: optional(
    v.pipe(
      v.number('must be a number'),
      v.check((x) => x > 0 && x <= 10, 'must be greater than 0 and at most 10'),
    ),
  ),
  logit_bias: logitBias,
  seed: optional(v.pipe(v.number('must be an integer'), v.integer('must be an integer'))),
  stop,
  stream: optional(v.boolean('must be a boolean')),
  stream_options: optional(object({ include_usage: optional(v.boolean('must be a boolean')) })),
  n: integerIn(1, MAX_CHOICES),
};

/** The text is looked at where it is read: not every type has one. */
const contentPart = object({
  type: v.string('must be a string'),
  text: v.optional(v.unknown()),
  refusal: v.optional(v.unknown()),
});

/** What is wrong with it depends on its type: see tool-offer.ts. */
const toolSchema = object({
  type: optional(v.string('must be a string')),
  function: optional(
    object({
      name: v.pipe(
        v.string('must be a string'),
        v.regex(/^[\w-]{1,64}$/, 'must be 1 to 64 letters, digits, underscores and dashes'),
      ),
      description: optional(v.string('must be a string')),
      parameters: optional(record(v.string(), v.unknown())),
      strict: optional(v.boolean('must be a boolean')),
    }),
  ),
});

const toolChoiceObject = object({
  type: v.string('must be a string'),
  function: optional(object({ name: v.string('must be a string') })),
});

const toolChoiceWord = v.picklist(
  ['none', 'auto', 'required'],
  'must be none, auto, required or an object that names a function',
);

/** Either schema on its own: so the path of what is wrong inside the object is known. */
const toolChoice = v.lazy((value): typeof toolChoiceWord | typeof toolChoiceObject =>
  typeof value === 'object' ? toolChoiceObject : toolChoiceWord,
);

const toolCall = object({
  id: v.pipe(v.string('must be a string'), v.nonEmpty('must not be empty')),
  type: optional(v.string('must be a string')),
  function: optional(
    object({
      name: v.pipe(v.string('must be a string'), v.nonEmpty('must not be empty')),
      arguments: v.string('must be a string of JSON'),
    }),
  ),
});

const message = object({
  role: v.picklist(
    ['system', 'developer', 'user', 'assistant', 'tool'],
    'must be one of system, developer, user, assistant, tool',
  ),
  content: optional(
    v.union([v.string(), v.array(contentPart)], 'must be a string or an array of content parts'),
  ),
  name: optional(v.string('must be a string')),
  tool_call_id: optional(v.string('must be a string')),
  tool_calls: optional(v.array(toolCall, 'must be an array')),
  function_call: optional(v.unknown()),
});

const responseFormat = object({
  type: v.picklist(
    ['text', 'json_object', 'json_schema'],
    'must be one of text, json_object, json_schema',
  ),
  /** Beside json_object, as llama.cpp's server and vLLM have it. */
  schema: optional(v.unknown()),
  json_schema: optional(
    object({
      name: optional(v.string('must be a string')),
      schema: optional(v.unknown()),
      strict: optional(v.boolean('must be a boolean')),
    }),
  ),
});

export const chatRequestSchema = object(
  {
    ...commonEntries,
    messages: v.array(message, 'must be an array of messages'),
    max_completion_tokens: integerFrom(1),
    tools: optional(v.array(toolSchema, 'must be an array')),
    tool_choice: optional(toolChoice),
    parallel_tool_calls: optional(v.boolean('must be a boolean')),
    functions: optional(v.unknown()),
    function_call: optional(v.unknown()),
    response_format: optional(responseFormat),
    logprobs: optional(v.boolean('must be a boolean')),
    top_logprobs: integerIn(0, MAX_TOP_LOGPROBS),
    audio: optional(v.unknown()),
    modalities: optional(v.array(v.string('must be a string'), 'must be an array')),
    reasoning_effort: optional(
      v.picklist(
        ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'],
        'must be one of none, minimal, low, medium, high, xhigh, max',
      ),
    ),
    chat_template_kwargs: optional(record(v.string(), v.unknown())),
  },
  'must be a JSON object',
);

export const completionRequestSchema = object(
  {
    ...commonEntries,
    prompt: v.union(
      [v.string(), v.array(v.unknown())],
      'must be a string or an array with one string',
    ),
    suffix: optional(v.string('must be a string')),
    echo: optional(v.boolean('must be a boolean')),
    best_of: integerFrom(1),
    logprobs: integerFrom(0),
  },
  'must be a JSON object',
);

/** Most characters of a text that is to be spoken. */
const MAX_INPUT = 4096;

export const speechRequestSchema = object(
  {
    model: commonEntries.model,
    input: v.pipe(
      v.string('must be a string'),
      v.regex(/\S/, 'must not be empty'),
      // Characters as people count them come close to code points; UTF-16 units do not.
      v.check(
        (text) => Array.from(text).length <= MAX_INPUT,
        `must have at most ${MAX_INPUT} characters`,
      ),
    ),
    voice: v.union(
      [
        v.string(),
        v.pipe(
          object({ id: v.string() }),
          v.transform(({ id }) => id),
        ),
      ],
      'must be a string or an object with an id',
    ),
    response_format: optional(v.string('must be a string')),
    speed: numberIn(0.25, 4),
    lang_code: optional(v.string('must be a string')),
    instructions: optional(v.string('must be a string')),
    stream_format: optional(v.string('must be a string')),
  },
  'must be a JSON object',
);

const commonSchema = v.object(commonEntries);

export type CommonRequest = v.InferOutput<typeof commonSchema>;
export type ChatRequest = v.InferOutput<typeof chatRequestSchema>;
export type CompletionRequest = v.InferOutput<typeof completionRequestSchema>;
export type SpeechRequest = v.InferOutput<typeof speechRequestSchema>;
export type ChatMessage = ChatRequest['messages'][number];
