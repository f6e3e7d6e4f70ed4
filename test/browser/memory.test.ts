import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { expect, SMOLLM2, TINY } from './support/fixtures.ts';
import { ask, begin, changes, loaded, speak, test, TWIN } from './support/many-models.ts';
import { LIBRARY_FOLDER, PIPER } from './support/site.ts';
import { startStream, untilEnded, untilLength } from './support/streamed.ts';

// Models are loaded again and again: on a busy machine that takes its time.
test.describe.configure({ timeout: 360_000 });

const COUNTED = '1 2 3 4 5';

/** Room for one of tiny-chat's size, and not for two. */
const ONE_TINY = { memoryBudget: 6_000_000 };

test('two models stay in memory, and answer in turn without being loaded again', async ({
  open,
}) => {
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
});

test('where there is room for one only, the other goes', async ({ open }) => {
  const page = await open(ONE_TINY);
  for (const model of [TINY, TWIN, TWIN, TINY]) expect(await ask(page, model)).toBe(COUNTED);
  expect(await changes(page)).toEqual([
    ...[`ready ${TINY}`, `unloaded ${TINY}`],
    ...[`ready ${TWIN}`, `unloaded ${TWIN}`],
    `ready ${TINY}`,
  ]);
  expect(await loaded(page)).toEqual([TINY]);
});

test('a model larger than the budget is loaded alone', async ({ open }) => {
  const page = await open({ memoryBudget: 1 });
  expect(await ask(page, TINY)).toBe(COUNTED);
  expect(await ask(page, TWIN)).toBe(COUNTED);
  expect(await loaded(page)).toEqual([TWIN]);
});

test('models that write and models that speak share the memory', async ({ open }) => {
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

test('and have it together where it suffices', async ({ open }) => {
  const page = await open();
  for (const _ of [1, 2]) {
    expect(await ask(page, TINY)).toBe(COUNTED);
    expect(await speak(page)).toBeGreaterThan(10_000);
  }
  expect(await changes(page)).toEqual([`ready ${TINY}`, `ready ${PIPER}`]);
});

/** How much of a conversation's prompt is spared when it is asked again after another, 0 to 1. */
function spared(page: Page): Promise<number> {
  return page.evaluate(async (model) => {
    const tell = async (name: string) => {
      const content = `${name} is my name. What is the capital of France?`;
      const messages = [{ role: 'user' as const, content }];
      const request = { model, messages, temperature: 0, max_tokens: 2 };
      return (await window.client.chat.completions.create(request)).usage;
    };
    for (const name of ['Ann', 'Bob']) await tell(name);
    const usage = await tell('Ann');
    return (usage?.prompt_tokens_details?.cached_tokens ?? 0) / (usage?.prompt_tokens ?? 0);
  }, TINY);
}

test('a second conversation has a KV cache of its own where it fits, and gives it up for a second model', async ({
  open,
}) => {
  // For two of tiny-chat's size, or for one with two KV caches.
  const page = await open({ memoryBudget: 10_500_000 });
  expect(await spared(page)).toBeGreaterThan(0.5);
  expect(await ask(page, TWIN)).toBe(COUNTED);
  expect(await spared(page)).toBeLessThan(0.5);
  expect(await changes(page)).toEqual([`ready ${TINY}`, `ready ${TWIN}`]);
  await page.evaluate((model) => window.v1.models.unload(model), TWIN);
  expect(await spared(page)).toBeGreaterThan(0.5);
});

test('models are loaded and unloaded when the page says so', async ({ open }) => {
  const page = await open();
  const say = (name: 'load' | 'unload', model: string) =>
    page.evaluate(([op, id]) => window.v1.models[op](id), [name, model] as const);
  await say('load', TWIN);
  await say('load', PIPER);
  expect(await loaded(page)).toEqual([TWIN, PIPER]);
  await say('unload', TWIN);
  expect(await loaded(page)).toEqual([PIPER]);
  await say('unload', PIPER);
  await say('unload', PIPER);
  expect(await loaded(page)).toEqual([]);
  expect(await ask(page, TWIN)).toBe(COUNTED);
  expect(await loaded(page)).toEqual([TWIN]);
});

test('what nobody asks for leaves, and a request brings it back', async ({ open }) => {
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
});

for (const [room, options] of [
  ['both', {}],
  ['one', ONE_TINY],
] as const) {
  test(`requests for two models at once are all answered, where there is room for ${room}`, async ({
    open,
  }) => {
    const page = await open(options);
    const all = [TINY, TWIN, TINY, TWIN].map((model) => ask(page, model));
    expect(await Promise.all(all)).toEqual([COUNTED, COUNTED, COUNTED, COUNTED]);
    const ready = (await changes(page)).filter((change) => change.startsWith('ready'));
    if (room === 'both') expect(ready.toSorted()).toEqual([`ready ${TINY}`, `ready ${TWIN}`]);
    expect(await loaded(page)).toHaveLength(room === 'both' ? 2 : 1);
  });
}

test('a model is not unloaded in the middle of an answer, nor minds that another is', async ({
  open,
}) => {
  const page = await open();
  await page.evaluate((model) => window.v1.models.load(model), TWIN);
  await startStream(page, {
    messages: [{ role: 'user', content: 'Count to 60.' }],
    temperature: 0,
  });
  await untilLength(page, 10);
  const atUnload = await page.evaluate(
    async ([streaming, idle]) => {
      await window.v1.models.unload(idle);
      await window.v1.models.unload(streaming);
      return window.streamed.text;
    },
    [TINY, TWIN] as const,
  );
  const answer = await untilEnded(page);
  expect(answer).toMatchObject({ finishReasons: ['stop'], done: true, error: null });
  expect(answer.text).toMatch(/ 60$/);
  expect(atUnload).toBe(answer.text);
  expect(await loaded(page)).toEqual([]);
});

/**
 * The engine as it is built, on a GPU that cannot make the 30th buffer of every second device. WebGPU
 * answers as it does to any buffer that it cannot make, and WebLLM does what it does then.
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

test('a load that runs out of memory is tried again when the others are gone', async ({
  fresh,
  manySite,
}) => {
  const offer = manySite.intercept;
  manySite.intercept = (request, response) => {
    if (request.url !== '/engine.js') return offer?.(request, response) ?? false;
    response.writeHead(200, { 'content-type': 'text/javascript' }).end(engineOnSmallGpu());
    return true;
  };
  try {
    const page = await begin(fresh, manySite);
    expect(await ask(page, TINY)).toBe(COUNTED);
    expect(await ask(page, TWIN)).toBe(COUNTED);
    expect(await changes(page)).toEqual([`ready ${TINY}`, `unloaded ${TINY}`, `ready ${TWIN}`]);
  } finally {
    manySite.intercept = offer;
  }
});
