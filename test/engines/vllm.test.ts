import { join } from 'node:path';
import { runCommand } from '../../scripts/run-command.ts';
import { ROOT } from '../../scripts/build/stamp.ts';
import { startEngine, type Engine } from './support/engine.ts';
import { beginWith, expectSame, test } from './support/through.ts';

const MODEL = 'tiny-chat';
const SNAPSHOT = join(ROOT, '.cache/upstreams/tiny-chat');

/** With these variables, vLLM fetches and reports nothing, and takes one core and a gigabyte. */
const ENV = {
  HF_HUB_OFFLINE: '1',
  VLLM_NO_USAGE_STATS: '1',
  DO_NOT_TRACK: '1',
  VLLM_CPU_KVCACHE_SPACE: '1',
  VLLM_CPU_OMP_THREADS_BIND: 'nobind',
  OMP_NUM_THREADS: '1',
};

const QUESTION = 'What is the capital of France?';
const CAPITAL = [{ role: 'user', content: QUESTION }];
const PERSON = [
  { role: 'user', content: 'Bob is 41 years old and lives in Rome. Describe Bob as JSON.' },
];
const DONE = 'data: [DONE]';

let engine: Engine;

test.beforeAll(async () => {
  const exported = await runCommand('python3', [
    ...['models/tiny-chat/export.py', 'models/tiny-chat/trained', SNAPSHOT],
  ]);
  if (exported.code !== 0) throw new Error('tiny-chat could not be exported.');
  engine = await startEngine(
    'vllm',
    (port) => [
      ...['-m', 'vllm.entrypoints.openai.api_server', '--host', '127.0.0.1', '--port', `${port}`],
      ...['--model', SNAPSHOT, '--served-model-name', MODEL, '--dtype', 'float32'],
      ...['--max-model-len', '2048', '--enforce-eager', '--allowed-origins', '["*"]'],
      ...['--enable-auto-tool-choice', '--tool-call-parser', 'hermes'],
    ],
    ENV,
  );
});

test.afterAll(() => engine.close());

const chat = { model: MODEL, temperature: 0, seed: 1 };

test('vLLM: chats, tools, schemas and streams are the same', async ({ page, closing }) => {
  const upstream = await beginWith(page, engine, closing);
  const path = 'chat/completions';
  const parameters = { type: 'object', properties: { city: { type: 'string' } } };
  const tools = [{ type: 'function', function: { name: 'get_weather', parameters } }];
  const question = [{ role: 'user', content: 'What is the weather in Paris?' }];
  const schema = {
    type: 'object',
    required: ['name', 'age'],
    additionalProperties: false,
    properties: { name: { type: 'string' }, age: { type: 'integer' } },
  };
  const response_format = { type: 'json_schema', json_schema: { name: 'person', schema } };
  for (const stream of [false, true]) {
    const same = (json: object, text: string) =>
      expectSame(upstream, { path, json: { ...chat, stream, ...json } }, stream ? DONE : text);
    await same({ messages: CAPITAL }, 'Paris');
    await same({ messages: PERSON, response_format }, 'Bob');
    await same({ messages: question, tools }, 'tool_calls":[{');
    const completion = { ...chat, stream, prompt: 'The capital of France', max_tokens: 8 };
    await expectSame(upstream, { path: 'completions', json: completion }, 'text_completion');
  }
});

test('vLLM: responses, messages and errors are the same', async ({ page, closing }) => {
  const upstream = await beginWith(page, engine, closing);
  for (const stream of [false, true]) {
    const responses = {
      path: 'responses',
      json: { model: MODEL, temperature: 0, stream, input: QUESTION },
    };
    await expectSame(upstream, responses, stream ? 'response.completed' : 'Paris');
    const json = { model: MODEL, temperature: 0, max_tokens: 30, stream, messages: CAPITAL };
    const messages = { path: 'messages', json };
    await expectSame(upstream, messages, stream ? 'message_stop' : 'Paris');
  }
  const wrong = { path: 'chat/completions', json: { ...chat, messages: 'none' } };
  await expectSame(upstream, wrong, 'error', 400);
});
