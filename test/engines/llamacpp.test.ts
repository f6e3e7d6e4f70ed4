import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../scripts/build/stamp.ts';
import { expect } from '../browser/support/fixtures.ts';
import { startEngine, type Engine } from './support/engine.ts';
import { beginWith, expectSame, test } from './support/through.ts';

const CHAT = 'tiny-chat';
const EMBEDDER = 'tiny-embed';
const CONFIG = join(ROOT, '.cache/upstreams/llamacpp.json');

const CAPITAL = [{ role: 'user', content: 'What is the capital of France?' }];
const PERSON = [
  { role: 'user', content: 'Bob is 41 years old and lives in Rome. Describe Bob as JSON.' },
];

let engine: Engine;

test.beforeAll(async () => {
  const packs = join(ROOT, 'models/packs');
  const models = [
    { model: join(packs, 'tiny-chat/tiny-chat-F32.gguf'), model_alias: CHAT },
    {
      model: join(packs, 'tiny-embed-gguf/tiny-embed-F16.gguf'),
      model_alias: EMBEDDER,
      embedding: true,
    },
  ].map((model) => ({ ...model, n_ctx: 2048, n_threads: 1, verbose: false }));
  engine = await startEngine('llamacpp', (port) => {
    writeFileSync(CONFIG, JSON.stringify({ host: '127.0.0.1', port, models }));
    return ['-m', 'llama_cpp.server', '--config_file', CONFIG];
  });
});

test.afterAll(async () => {
  await engine.close();
  rmSync(CONFIG);
});

const DONE = 'data: [DONE]';
const chat = { model: CHAT, temperature: 0, seed: 1 };

test('llama.cpp: its models are listed, and chats, tools, schemas and streams are the same', async ({
  page,
  closing,
}) => {
  const upstream = await beginWith(page, engine, closing);
  const ids = await page.evaluate(async () =>
    (await window.client.models.list()).data.map(({ id }) => id),
  );
  expect(ids).toEqual([CHAT, EMBEDDER]);
  const path = 'chat/completions';
  const parameters = { type: 'object', properties: { city: { type: 'string' } } };
  const tools = [{ type: 'function', function: { name: 'get_weather', parameters } }];
  const question = [{ role: 'user', content: 'What is the weather in Paris?' }];
  const schema = {
    type: 'object',
    properties: { name: { type: 'string' }, age: { type: 'integer' } },
    required: ['name', 'age'],
  };
  const response_format = { type: 'json_object', schema };
  for (const stream of [false, true]) {
    const same = (json: object, text: string) =>
      expectSame(upstream, { path, json: { ...chat, stream, ...json } }, stream ? DONE : text);
    await same({ messages: CAPITAL }, 'Paris');
    await same({ messages: PERSON, response_format }, 'Bob');
    await same({ messages: question, tools }, 'get_weather');
    const completion = { ...chat, stream, prompt: 'The capital of France', max_tokens: 8 };
    await expectSame(upstream, { path: 'completions', json: completion }, 'text_completion');
  }
});

test('llama.cpp: embeddings and errors are the same', async ({ page, closing }) => {
  const upstream = await beginWith(page, engine, closing);
  const json = { model: EMBEDDER, input: ['A cat', 'The sea'] };
  await expectSame(upstream, { path: 'embeddings', json }, 'embedding');
  const wrong = { path: 'chat/completions', json: { ...chat, messages: 'none' } };
  await expectSame(upstream, wrong, 'messages', 500);
});
