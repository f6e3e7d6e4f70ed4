import type OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { Recording } from '../../../src/engine/onnx/hearing/sound/recording.ts';
import { MODEL, openApi, ORIGIN } from '../support/api.ts';
import { LlamaCppEngine } from '../support/llamacpp-engine.ts';
import { quickApp } from '../support/quick-app.ts';
import type { ChatBody, CompletionBody, ErrorBody } from '../support/read.ts';
import {
  faultFiles,
  faultRequest,
  hasSharedFixtures,
  readFault,
} from '../support/shared-fixtures.ts';

type MessageBody = { content: { type: string }[] };
type ResponseBody = OpenAI.Responses.Response;

interface Answer {
  status: number;
  text: string;
}

/** Fails if the answer is not the right one. */
type Check = (answer: Answer) => void;

type BodyCheck<Body> = (body: Body) => void;

/** An answer whose body passes. */
function answered<Body>(check: BodyCheck<Body> = () => undefined): Check {
  return ({ status, text }) => {
    expect([status, text]).toEqual([200, expect.any(String)]);
    const body: Body = JSON.parse(text);
    check(body);
  };
}

function refused(param: string): Check {
  return ({ status, text }) => {
    const { error }: ErrorBody = JSON.parse(text);
    expect({ status, ...error }).toMatchObject({ status: 400, param });
  };
}

type ThinkingMessage = OpenAI.ChatCompletionMessage & { reasoning_content?: string };

/** A chat's answer whose only choice passes. */
const chat = (check: (choice: { message: ThinkingMessage; end: string }) => void) =>
  answered<ChatBody>(({ choices: [choice] }) => {
    if (!choice) throw new Error('There is no choice.');
    check({ message: choice.message, end: choice.finish_reason });
  });

const lacks = (text: string) =>
  chat(({ message }) => {
    expect(message.content).toMatch(/\S/);
    expect(message.content).not.toContain(text);
  });

/** The chat has at most so many tokens, those of its thinking included. */
const atMost = (tokens: number) =>
  answered<ChatBody>(({ usage, choices }) => {
    expect(usage?.completion_tokens).toBeLessThanOrEqual(tokens);
    expect(choices[0]?.finish_reason).toBe('length');
  });

const calls = (name: string) =>
  chat(({ message, end }) => {
    const [call] = message.tool_calls ?? [];
    expect(call).toMatchObject({ function: { name, arguments: '{"a": 1}' } });
    expect(end).toBe('tool_calls');
  });

const says = (content: string | RegExp) =>
  chat(({ message }) => expect(message.content).toMatch(content));

/** A number that would lose digits as a double. */
const numbers = (check: (digits: bigint) => boolean) =>
  chat(({ message }) => {
    const [, digits = ''] = /^\{"v": (\d+)\}$/.exec(message.content ?? '') ?? [];
    expect(BigInt(digits)).toSatisfy(check);
  });

const SCHEMA = 'response_format.json_schema.schema.properties.v';

/** The right answer to each request, written by tiny-chat with its real grammars. */
const RIGHT: Record<string, Check> = {
  'allowed-tools-flat-chat.json': refused('tool_choice.allowed_tools'),
  'allowed-tools-nested-responses.json': refused('tool_choice.tools'),
  'control-token-in-content.json': lacks('<|im_start|>'),
  'cut-call-in-history.json': chat(({ message }) => expect(message.content).toMatch(/\S/)),
  'max-tokens-1-format.json': atMost(1),
  'messages-tool-name-100.json': answered<MessageBody>(({ content }) =>
    expect(content.map(({ type }) => type)).toContain('tool_use'),
  ),
  'min-tokens-forced-tool.json': calls('f'),
  'min-tokens-json-schema.json': chat(({ message, end }) => {
    expect(message.content).toMatch(/^\{"r": [12]\}$/);
    expect(end).toBe('stop');
  }),
  'min-tokens-stop-string.json': says(/^1 2 3 4 5 /),
  'schema-const-19-digits.json': numbers((digits) => digits === 1234567890123456789n),
  'schema-const-1e400.json': refused(`${SCHEMA}.const`),
  'schema-int64-max.json': numbers(
    (digits) => digits >= 9223372036854775800n && digits <= 9223372036854775807n,
  ),
  'schema-map-min-properties.json': chat(({ message, end }) => {
    // The model may be cut in the middle of its second member, but one member does not end the object.
    expect(message.content).toMatch(/^\{"[^"]*": -?\d+, "/);
    if (end === 'stop') expect(Object.keys(JSON.parse(message.content ?? ''))).toHaveLength(2);
  }),
  'schema-maximum-1e400.json': refused(`${SCHEMA}.maximum`),
  'schema-small-range.json': refused(SCHEMA),
  'stop-in-thinking-required-call.json': calls('f'),
  'suites-01-messages-citations-null.json': answered<MessageBody>(({ content }) => {
    expect(content).toEqual([{ type: 'text', text: 'The capital of France is Paris.' }]);
  }),
  'suites-02-responses-open-responses-fields.json': answered<ResponseBody>((body) => {
    expect(body).toMatchObject({ temperature: 0, top_p: 1, presence_penalty: 0 });
    expect(body).toMatchObject({ frequency_penalty: 0, max_tool_calls: null, user: null });
    expect(body).toMatchObject({ safety_identifier: null, prompt_cache_key: null });
  }),
  'suites-03-control-token-in-content.json': lacks('<|im_start|>'),
  'suites-04-stray-think-end-in-content.json': lacks('</think>'),
  'suites-05-usage-over-max_tokens-chat.json': atMost(1),
  'suites-05b-usage-over-max_tokens-tool.json': atMost(1),
  'suites-05c-usage-over-max_output_tokens-responses.json': answered<ResponseBody>(({ usage }) =>
    expect(usage?.output_tokens).toBeLessThanOrEqual(1),
  ),
  'suites-05e-usage-over-max_tokens-reasoning-budget.json': atMost(4),
  'suites-06-tool-uniqueItems.json': says('The capital'),
  'suites-06b-unevaluatedProperties.json': says('The capital'),
  'suites-06d-pattern-word-boundary.json': says('The capital'),
  'suites-06e-pattern-python-flag.json': says('The capital'),
  'suites-06f-required-null.json': says('The capital'),
  'suites-06g-properties-null.json': says('The capital'),
  'suites-06i-remote-ref.json': says('The capital'),
  'suites-07-anthropic-tool-name-65-128.json': answered<MessageBody>(),
  'suites-09-completions-logprobs-0.json': answered<CompletionBody>(({ choices: [choice] }) => {
    const { tokens = [], top_logprobs: top = [] } = choice?.logprobs ?? {};
    expect(tokens).toHaveLength(2);
    expect(top.map((alternatives) => Object.keys(alternatives))).toEqual(
      tokens.map((token) => [token]),
    );
  }),
  'suites-10-text-format-description.json': answered<ResponseBody>(({ text }) =>
    expect(text?.format).toMatchObject({
      description: 'A schema for the capital of each country',
    }),
  ),
  'suites-11-max_tokens-minus-1.json': chat(({ end }) => expect(end).toBe('stop')),
  'suites-12-logprobs-null.json': answered<ChatBody>(({ choices: [choice] }) =>
    expect(choice?.logprobs).toMatchObject({ content: [] }),
  ),
  'think-prefill.json': chat(({ message }) => {
    expect(message.reasoning_content).toMatch(/^ for the capital/);
    expect(message.content).toBe('The capital of France is Paris.');
  }),
  'tokenize-empty.json': answered((body) => expect(body).toMatchObject({ tokens: [], count: 0 })),
  'tool-choice-none-unsupported-schema.json': answered<ChatBody>(),
};

/** The wave files that are read, with their length in seconds. */
const SOUNDS = [
  ...['24-in-32', 'bw64', 'data-size-0', 'one-inf', 'one-nan'],
  ...['riff-size-0', 'riff-size-36', 'two-data-chunks'],
].map((name) => `wav-${name}.wav`);

/** How the codec is named. */
const CODECS: Record<string, RegExp> = {
  'codec-g726.wav': /G\.?726/,
  'codec-ima.wav': /ADPCM/,
  'codec-mp3.wav': /MP3/,
  'codec-msadpcm.wav': /ADPCM/,
};

/** Inputs that other tests have, because they need a browser or are no requests. */
const ELSEWHERE = [
  'codec-flac.ogg',
  'image-3000x1.json',
  'ogg-opus-chained.ogg',
  'speech.json',
  'suites-13-json-schema-accepted-invalid.json',
];

const IMAGE = 'image-DATA-scheme.json';
const INPUT_ITEMS = 'suites-08-input_items-assistant.json';

describe.skipIf(!hasSharedFixtures)('a reported input is answered right', () => {
  test('each is looked at', () => {
    const seen = [...Object.keys(RIGHT), ...SOUNDS, ...Object.keys(CODECS), ...ELSEWHERE];
    expect([...seen, IMAGE, INPUT_ITEMS].toSorted()).toEqual(faultFiles().toSorted());
  });

  const engine = new LlamaCppEngine();
  const { app } = quickApp(engine);

  test.each(Object.keys(RIGHT))('%s', async (name) => {
    const { method, path, body } = faultRequest(name);
    const named = body?.replace(/"model":"[^"]*"/, `"model":"${MODEL}"`);
    const init = named === undefined ? { method } : { method, body: named };
    const response = await app(new Request(ORIGIN + path, init));
    RIGHT[name]?.({ status: response.status, text: await response.text() });
    // The model is still the one that was loaded at first.
    expect([engine.loads <= 1, engine.isBroken]).toEqual([true, false]);
  });

  test(INPUT_ITEMS, async () => {
    const api = await openApi();
    const input: OpenAI.Responses.ResponseInput = [
      { role: 'user', content: 'x' },
      { role: 'assistant', content: 'hello' },
      { role: 'user', content: 'hi' },
    ];
    const { id } = await api.client().responses.create({ model: MODEL, input });
    const { data } = await api.client().responses.inputItems.list(id, { order: 'asc' });
    expect(data[1]).toMatchObject({
      id: expect.stringMatching(/^msg_/),
      status: 'completed',
      content: [{ type: 'output_text', text: 'hello', annotations: [], logprobs: [] }],
    });
  });

  test(IMAGE, async () => {
    const api = await openApi({ sees: true });
    const body = faultRequest(IMAGE).body?.replace('slashv1/tiny-see', MODEL);
    expect((await api.post('/chat/completions', body)).status).toBe(200);
  });

  test.each(SOUNDS)('%s', async (name) => {
    const recording = await Recording.open(new Blob([readFault(name)]), 16_000);
    const samples = await recording.read(0, 60 * 16_000);
    expect(samples.length / 16_000).toBeCloseTo(2.15, 1);
    expect(samples.every((sample) => Math.abs(sample) <= 1)).toBe(true);
    expect(Math.max(...samples.slice(samples.length / 2))).toBeGreaterThan(0.05);
  });

  test.each(Object.entries(CODECS))('%s', async (name, codec) => {
    await expect(Recording.open(new Blob([readFault(name)]), 16_000)).rejects.toMatchObject({
      data: { status: 400, message: expect.stringMatching(codec) },
    });
  });
});
