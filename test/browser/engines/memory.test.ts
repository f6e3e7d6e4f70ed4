import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { complete } from '../support/chat.ts';
import { expect, SMOLLM2, TINY } from '../support/fixtures.ts';
import {
  ask,
  changes,
  loaded,
  openReporting,
  speak,
  test,
  TWIN,
} from '../support/hub/many-models.ts';
import { load, unload } from '../support/models.ts';
import { COUNT, COUNTED as COUNTED_TO_60, countTo, user } from '../support/prompts.ts';
import { LIBRARY_FOLDER, PIPER, replaceFile } from '../support/site.ts';
import { startStream, untilEnded } from '../support/streamed.ts';

// Models are loaded several times, which is slow on a busy machine.
test.describe.configure({ timeout: 360_000 });

const COUNTED = countTo(5);

/** Has room for one model of tiny-chat's size, but not for two. */
const ONE_TINY = { memoryBudget: 6_000_000 };

/** Tests with this tag run on llama.cpp only: the text engine makes no difference to them. */
const ANY_ENGINE = { tag: '@llamacpp' };

/** Bytes: room for two models of tiny-chat's size, or for one with two KV caches, but not for more. */
const TWO_TINY = { webllm: 11_000_000, llamacpp: 43_000_000 };

test(
  'two models stay in memory, and answer in turn without another load',
  ANY_ENGINE,
  async ({ open }) => {
    const page = await open();
    const answers: Record<string, (string | null)[]> = { [TINY]: [], [SMOLLM2]: [] };
    for (const model of [TINY, SMOLLM2, TINY, SMOLLM2]) {
      answers[model]?.push(await ask(page, model));
    }
    expect(answers[TINY]).toEqual([COUNTED, COUNTED]);
    const [first, second] = answers[SMOLLM2] ?? [];
    expect(first).toBeTruthy();
    expect(second).toBe(first);
    expect(await changes(page)).toEqual([`ready ${TINY}`, `ready ${SMOLLM2}`]);
    expect(await loaded(page)).toEqual([TINY, SMOLLM2]);
  },
);

test('if there is room for only one model, the other is unloaded', async ({ open }) => {
  const page = await open(ONE_TINY);
  for (const model of [TINY, TWIN, TWIN, TINY]) expect(await ask(page, model)).toBe(COUNTED);
  expect(await changes(page)).toEqual([
    ...[`ready ${TINY}`, `unloaded ${TINY}`],
    ...[`ready ${TWIN}`, `unloaded ${TWIN}`],
    `ready ${TINY}`,
  ]);
  expect(await loaded(page)).toEqual([TINY]);
});

test('a model that is larger than the budget is loaded alone', ANY_ENGINE, async ({ open }) => {
  const page = await open({ memoryBudget: 1 });
  expect(await ask(page, TINY)).toBe(COUNTED);
  expect(await ask(page, TWIN)).toBe(COUNTED);
  expect(await loaded(page)).toEqual([TWIN]);
});

test('chat models and voices share the memory budget', ANY_ENGINE, async ({ open }) => {
  const page = await open(ONE_TINY);
  expect(await ask(page, TINY)).toBe(COUNTED);
  expect(await speak(page)).toBeGreaterThan(10_000);
  expect(await loaded(page)).toEqual([PIPER]);
  expect(await ask(page, TINY)).toBe(COUNTED);
  expect(await changes(page)).toEqual([
    ...[`ready ${TINY}`, `unloaded ${TINY}`],
    ...[`ready ${PIPER}`, `unloaded ${PIPER}`],
    `ready ${TINY}`,
  ]);
});

test(
  'a chat model and a voice stay in memory together if the budget suffices',
  ANY_ENGINE,
  async ({ open }) => {
    const page = await open();
    for (const _ of [1, 2]) {
      expect(await ask(page, TINY)).toBe(COUNTED);
      expect(await speak(page)).toBeGreaterThan(10_000);
    }
    expect(await changes(page)).toEqual([`ready ${TINY}`, `ready ${PIPER}`]);
  },
);

/** How much of a prompt is in the KV cache when it is sent again after another one, 0 to 1. */
async function cachedPart(page: Page): Promise<number> {
  const tell = async (name: string) => {
    const messages = [user(`${name} is my name. What is the capital of France?`)];
    return (await complete(page, { messages, temperature: 0, max_tokens: 2 })).usage;
  };
  for (const name of ['Ann', 'Bob']) await tell(name);
  const usage = await tell('Ann');
  return (usage?.prompt_tokens_details?.cached_tokens ?? 0) / (usage?.prompt_tokens ?? 0);
}

test('a second conversation has its own KV cache if it fits, until a second model needs the memory', async ({
  open,
  engine,
}) => {
  const page = await open({ memoryBudget: TWO_TINY[engine] });
  expect(await cachedPart(page)).toBeGreaterThan(0.5);
  expect(await ask(page, TWIN)).toBe(COUNTED);
  expect(await cachedPart(page)).toBeLessThan(0.5);
  // WebAssembly's memory never shrinks, so llama.cpp frees a KV cache only with the whole model.
  const freed = engine === 'webllm' ? [] : [`unloaded ${TINY}`];
  const again = engine === 'webllm' ? [] : [`ready ${TINY}`];
  expect(await changes(page)).toEqual([`ready ${TINY}`, ...freed, `ready ${TWIN}`, ...again]);
  await unload(page, TWIN);
  expect(await cachedPart(page)).toBeGreaterThan(0.5);
});

test('a page can load and unload models itself', ANY_ENGINE, async ({ open }) => {
  const page = await open();
  await load(page, TWIN);
  await load(page, PIPER);
  expect(await loaded(page)).toEqual([TWIN, PIPER]);
  await unload(page, TWIN);
  expect(await loaded(page)).toEqual([PIPER]);
  await unload(page, PIPER);
  await unload(page, PIPER);
  expect(await loaded(page)).toEqual([]);
  expect(await ask(page, TWIN)).toBe(COUNTED);
  expect(await loaded(page)).toEqual([TWIN]);
});

test(
  'an idle model is unloaded, and the next request loads it again',
  ANY_ENGINE,
  async ({ open }) => {
    const page = await open({ unloadAfterMs: 0 });
    const untilUnloaded = (model: string, times: number) =>
      page.waitForFunction(
        ([id, count]) =>
          window.reports.filter((each) => each.model === id && each.stage === 'unloaded').length ===
          count,
        [model, times] as const,
      );
    for (const times of [1, 2]) {
      expect(await ask(page, TINY)).toBe(COUNTED);
      await untilUnloaded(TINY, times);
      expect(await speak(page)).toBeGreaterThan(10_000);
      await untilUnloaded(PIPER, times);
    }
    expect(await loaded(page)).toEqual([]);
  },
);

for (const [room, options] of [
  ['both', {}],
  ['one', ONE_TINY],
] as const) {
  test(
    `requests for two models at once are all answered when there is room for ${room}`,
    ANY_ENGINE,
    async ({ open }) => {
      const page = await open(options);
      const all = [TINY, TWIN, TINY, TWIN].map((model) => ask(page, model));
      expect(await Promise.all(all)).toEqual([COUNTED, COUNTED, COUNTED, COUNTED]);
      const ready = (await changes(page)).filter((change) => change.startsWith('ready'));
      if (room === 'both') expect(ready.toSorted()).toEqual([`ready ${TINY}`, `ready ${TWIN}`]);
      expect(await loaded(page)).toHaveLength(room === 'both' ? 2 : 1);
    },
  );
}

test('an answer is finished before its model is unloaded, and unloading another model does not disturb it', async ({
  open,
  manyHold,
  engine,
}) => {
  const page = await open();
  await load(page, TWIN);
  await manyHold.at({ tokens: 10 });
  await startStream(page, COUNT);
  await manyHold.untilHeld();
  const unloading = [unload(page, TWIN), unload(page, TINY)];
  // The engine has heard of both by then. WebLLM's models share the engine's worker, which tells nothing while it is held.
  if (engine === 'llamacpp') expect(await loaded(page)).toContain(TINY);
  await manyHold.release();
  await Promise.all(unloading);
  const answer = await untilEnded(page);
  expect(answer).toMatchObject({
    text: COUNTED_TO_60,
    finishReasons: ['stop'],
    done: true,
    error: null,
  });
  // An answer that lost its model would have loaded it again to continue.
  expect((await changes(page)).filter((change) => change === `ready ${TINY}`)).toHaveLength(1);
  expect(await loaded(page)).toEqual([]);
});

/**
 * The built engine on a GPU that fails to create the 30th buffer of its second device. The failure is
 * WebGPU's own, since the buffer is too large, and WebLLM handles it as always.
 */
function engineOnSmallGpu(): string {
  const scarcity = () => {
    const { createBuffer } = GPUDevice.prototype;
    const { requestDevice } = GPUAdapter.prototype;
    let devices = 0;
    const buffers = new WeakMap<GPUDevice, number>();
    GPUAdapter.prototype.requestDevice = async function (...descriptor) {
      const device = await requestDevice.apply(this, descriptor);
      if (++devices === 2) buffers.set(device, 0);
      return device;
    };
    GPUDevice.prototype.createBuffer = function (descriptor) {
      const count = (buffers.get(this) ?? -Infinity) + 1;
      buffers.set(this, count);
      const size = count === 30 ? 2 ** 50 : descriptor.size;
      return createBuffer.call(this, { ...descriptor, size });
    };
  };
  const engine = readFileSync(join(LIBRARY_FOLDER, 'engine.js'), 'utf8');
  return `(${scarcity.toString()})();\n${engine}`;
}

test(
  'a load that runs out of memory of the GPU is repeated after the other models are unloaded',
  { tag: '@webllm' },
  async ({ fresh, manySite }) => {
    const offer = manySite.intercept;
    const script = replaceFile('/engine.js', engineOnSmallGpu());
    manySite.intercept = (...exchange) => script(...exchange) || (offer?.(...exchange) ?? false);
    try {
      const page = await openReporting(fresh, manySite);
      expect(await ask(page, TINY)).toBe(COUNTED);
      expect(await ask(page, TWIN)).toBe(COUNTED);
      expect(await changes(page)).toEqual([`ready ${TINY}`, `unloaded ${TINY}`, `ready ${TWIN}`]);
    } finally {
      manySite.intercept = offer;
    }
  },
);
