import { readFileSync } from 'node:fs';
import { complete, say, type ChatRequest } from '../browser/support/chat.ts';
import { about, showing } from '../browser/support/media/seeing.ts';
import { listed, unload } from '../browser/support/models.ts';
import { CAPITAL, countTo, GREETING, LETTERS, PARIS, user } from '../browser/support/prompts.ts';
import { answerTo, startStream, untilEnded } from '../browser/support/streamed.ts';
import { GGUF_EMBEDDER, SEER, SMOLLM2, TINY, type TestSite } from '../browser/support/site.ts';
import type { Tab } from '../browsers/support/driver.ts';
import { begin } from '../browsers/support/fixtures.ts';
import { askAfterSystem } from '../browsers/support/kept-prompt.ts';
import type { StartOptions } from '../../src/index.ts';
import { ASKED_WHETHER_DONE, expect, test } from './fixtures.ts';
import { askHeldModel } from './held-model.ts';

// On a GPU in software, a token of tiny-chat takes a tenth of a second, and the shaders of a model compile for seconds.
test.describe.configure({ timeout: 1_800_000 });

const ON_GPU: StartOptions = { engines: ['llamacpp'], llamacppDevice: 'webgpu' };
const ON_CPU: StartOptions = { engines: ['llamacpp'], llamacppDevice: 'wasm' };

/** A request whose answer has about thirty tokens. */
const COUNT = { messages: [user('Count to 12.')], temperature: 0 };
const COUNTED = countTo(12);

const CASES = new URL('../fixtures/tiny-embed-cases.json', import.meta.url);

/** Fails if a model was computed on the CPU. */
function expectNoCpu(site: TestSite): void {
  expect(site.requests).toContain('/llamacpp-gpu.wasm');
  expect(site.requests).not.toContain('/llamacpp.wasm');
}

test('llama.cpp answers on the GPU: whole, in a stream, after an abort, under a JSON Schema, twice at once, up to a stop string', async ({
  tab,
  site,
}) => {
  await begin(tab, { ...ON_GPU, model: TINY });
  expect(await tab.evaluate(() => window.v1.device)).toMatchObject({ llamacpp: 'webgpu' });
  expect(await say(tab, CAPITAL)).toBe(PARIS);
  const { times, ...answer } = await answerTo(tab, COUNT);
  expect(answer).toMatchObject({ text: COUNTED, done: true, error: null });
  expect(new Set(times).size).toBeGreaterThan(3);
  const received = await tab.evaluate(
    async (body) => {
      const stream = await window.client.chat.completions.create({ ...body, stream: true });
      let text = '';
      for await (const chunk of stream) {
        text += chunk.choices[0]?.delta.content ?? '';
        if (text.length > 8) break;
      }
      return text;
    },
    { model: TINY, ...COUNT },
  );
  expect(received).toMatch(/^1 2 3 4/);
  expect(await say(tab, 'Hello!')).toBe(GREETING);
  const letters = await say(tab, 'Hello!', { response_format: LETTERS });
  expect(JSON.parse(letters ?? '')).toMatch(/^[a-z]{16}$/);
  const twice = await complete(tab, { ...COUNT, n: 2, stop: [' 7'] });
  expect(twice.choices).toMatchObject(
    [0, 1].map((index) => ({
      index,
      message: { content: '1 2 3 4 5 6' },
      finish_reason: 'stop',
    })),
  );
  expect(await listed(tab, TINY)).toMatchObject({ state: 'loaded', device: 'webgpu' });
  expectNoCpu(site);
});

/** The tokens of a greedy answer, and their log-probabilities. */
async function tokensOf(tab: Tab, model: string, content: string, count: number) {
  const messages = [user(content)];
  const request = { model, messages, temperature: 0, logprobs: true, max_tokens: count };
  const { choices } = await complete(tab, request);
  return choices[0]?.logprobs?.content ?? [];
}

for (const [model, tokens] of [
  [TINY, 32],
  [SMOLLM2, 8],
] as const) {
  test(`${model} writes on the GPU the tokens that it writes on the CPU`, async ({ tab, site }) => {
    const question = 'Tell me in one sentence what a tree is.';
    await begin(tab, { ...ON_GPU, model });
    const onGpu = await tokensOf(tab, model, question, tokens);
    expect(await listed(tab, model)).toMatchObject({ state: 'loaded', device: 'webgpu' });
    expectNoCpu(site);
    await expect.poll(() => site.requests).toContain(ASKED_WHETHER_DONE);
    await tab.goto(site.url);
    await begin(tab, { ...ON_CPU, model });
    const onCpu = await tokensOf(tab, model, question, tokens);
    expect(await listed(tab, model)).toMatchObject({ device: 'wasm', cpuReason: { code: 'site' } });
    expect(onGpu.map(({ token }) => token)).toEqual(onCpu.map(({ token }) => token));
    const differences = onGpu.map(({ logprob }, at) =>
      Math.abs(logprob - (onCpu[at]?.logprob ?? Number.NaN)),
    );
    expect(Math.max(...differences)).toBeLessThan(0.1);
    process.stdout.write(`${model}: logprobs differ by up to ${Math.max(...differences)}\n`);
  });
}

test('the GPU compiles and computes while its model is downloaded, and answers as it does later', async ({
  tab,
  site,
}) => {
  const { model, ask, early } = await askHeldModel(tab, site, ON_GPU);
  model.sendRest();
  const text = await early;
  expect(text).not.toBe('');
  expect(await listed(tab, model.id)).toMatchObject({ state: 'loaded', device: 'webgpu' });
  expectNoCpu(site);
  await unload(tab, model.id);
  expect(await ask()).toBe(text);
  await model.close();
});

test('an answer on the GPU continues in the same response when the tab with the engine is closed', async ({
  tab,
  firefox,
  hold,
  site,
}) => {
  const leader = await firefox.newTab();
  await leader.goto(site.url);
  await begin(leader, { ...ON_GPU, model: TINY });
  await begin(tab, ON_GPU);
  await hold.at({ tokens: 10 });
  await startStream(tab, COUNT);
  await hold.untilHeld();
  await leader.close();
  await hold.release();
  const answer = await untilEnded(tab);
  expect(answer).toMatchObject({ text: COUNTED, finishReasons: ['stop'], done: true, error: null });
  expectNoCpu(site);
});

test('a prompt on disk goes on on the GPU after a reload, and its answer is the same', async ({
  tab,
  site,
}) => {
  const disk = { ...ON_GPU, model: TINY, promptCache: { disk: true } };
  await begin(tab, disk);
  const first = await askAfterSystem(tab);
  expect(first).toMatchObject({ read: 0, written: expect.any(Number) });
  expect(await tab.evaluate(() => window.v1.promptCache.size())).toMatchObject({ prompts: 1 });
  await tab.reload();
  await begin(tab, disk);
  expect(await askAfterSystem(tab)).toEqual({ ...first, read: first.written, written: 0 });
  expectNoCpu(site);
});

test('an embedder computes on the GPU what it computes on the CPU', async ({ tab, site }) => {
  const { vectors }: { vectors: { text: string; vector_start: number[] }[] } = JSON.parse(
    readFileSync(CASES, 'utf8'),
  );
  await begin(tab, ON_GPU);
  const found = await tab.evaluate(
    async ([model, input]) => {
      const { data } = await window.client.embeddings.create({ model, input });
      return data.map(({ embedding }) => embedding);
    },
    [GGUF_EMBEDDER, vectors.map(({ text }) => text)] as const,
  );
  for (const [place, { vector_start: start }] of vectors.entries()) {
    for (const [index, value] of start.entries())
      expect(found[place]?.[index]).toBeCloseTo(value, 2);
  }
  expectNoCpu(site);
});

test('a model on the GPU sees images', async ({ tab, site }) => {
  await begin(tab, ON_GPU);
  const request = showing(about('red-circle.png', 'What is in the picture?')) as ChatRequest;
  const { choices } = await complete(tab, request);
  expect(choices[0]?.message.content).toBe('A red circle.');
  const seer = await listed(tab, SEER);
  expect(seer).toMatchObject({ state: 'loaded', device: 'webgpu' });
  expect(seer).not.toHaveProperty('imagesOnCpu');
  expectNoCpu(site);
});
