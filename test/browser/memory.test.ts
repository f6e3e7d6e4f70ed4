import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright/test';
import type { Progress, StartOptions } from '../../src/index.ts';
import { expect, openPage, SMOLLM2, test as base, TINY, withProfile } from './support/fixtures.ts';
import { LIBRARY_FOLDER, PACKS, PIPER, serveTestSite, type TestSite } from './support/site.ts';
import { startStream, untilEnded, untilLength } from './support/streamed.ts';

/** tiny-chat once more, as a model of its own. */
const TWIN = 'test/tiny-twin';

declare global {
  interface Window {
    reports: Progress[];
  }
}

interface Fixtures {
  manySite: TestSite;
  /** Keeps what was downloaded; its pages are of one test each. */
  manyProfile: BrowserContext;
}

/** Starts the API in a page of its own, which hosts the engine. */
type Open = (options?: StartOptions) => Promise<Page>;

const test = base.extend<{ open: Open }, Fixtures>({
  manySite: [
    async ({}, use) => {
      const packs = ['tiny-chat', 'tiny-twin', 'smollm2-135m', 'test-piper'];
      const site = await serveTestSite('/', packs);
      site.intercept = ({ url }, response) => {
        if (url !== '/packs/tiny-twin/manifest.json') return false;
        response.writeHead(200, { 'content-type': 'application/json' }).end(twinManifest());
        return true;
      };
      await use(site);
      await site.close();
    },
    { scope: 'worker' },
  ],
  manyProfile: [({}, use) => withProfile(use), { scope: 'worker' }],
  open: async ({ manyProfile, manySite }, use) => {
    const pages: Page[] = [];
    await use(async (options) => {
      const page = await begin(manyProfile, manySite, options);
      pages.push(page);
      return page;
    });
    for (const page of pages) await page.close();
  },
});

// Models are loaded again and again: on a busy machine that takes its time.
test.describe.configure({ timeout: 360_000 });

async function begin(
  profile: BrowserContext,
  site: TestSite,
  options: StartOptions = {},
): Promise<Page> {
  const page = await openPage(profile, site.url);
  await page.evaluate(async (asked) => {
    window.reports = [];
    await window.begin({ ...asked, onProgress: (report) => window.reports.push(report) });
  }, options);
  return page;
}

function twinManifest(): string {
  const file = join(PACKS['tiny-chat'] ?? '', 'manifest.json');
  return JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), id: TWIN });
}

/** The beginning of what a model answers. */
function ask(page: Page, model: string, content = 'Count to 5.'): Promise<string | null> {
  return page.evaluate(
    async ([id, text]) => {
      const { choices } = await window.client.chat.completions.create({
        model: id,
        messages: [{ role: 'user', content: text }],
        temperature: 0,
        max_tokens: 9,
      });
      return choices[0]?.message.content ?? null;
    },
    [model, content] as const,
  );
}

/** Bytes of audio. */
function speak(page: Page): Promise<number> {
  return page.evaluate(async (model) => {
    const request = { model, voice: 'joe', input: 'Hello there.' };
    const response = await window.client.audio.speech.create(request);
    return (await response.arrayBuffer()).byteLength;
  }, PIPER);
}

/** What came into memory and what left it, in order. */
async function changes(page: Page): Promise<string[]> {
  const reports = await page.evaluate(() => window.reports);
  return reports
    .filter(({ stage }) => ['ready', 'unloaded', 'failed'].includes(stage))
    .map(({ model, stage }) => `${stage} ${model}`);
}

/** Ids of the models that the list says are loaded. */
function loaded(page: Page): Promise<string[]> {
  return page.evaluate(async () =>
    (await window.v1.models.list()).filter(({ state }) => state === 'loaded').map(({ id }) => id),
  );
}

const COUNTED = '1 2 3 4 5';
const twin = (text = 'Count to 5.') => ({ messages: [{ role: 'user', content: text }] });

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

test('a model is not unloaded in the middle of an answer', async ({ open }) => {
  const page = await open();
  await startStream(page, { ...twin('Count to 60.'), temperature: 0 });
  await untilLength(page, 10);
  const endedFirst = await page.evaluate(async (model) => {
    await window.v1.models.unload(model);
    return window.streamed;
  }, TINY);
  const answer = await untilEnded(page);
  expect(answer).toMatchObject({ finishReasons: ['stop'], done: true, error: null });
  expect(answer.text).toMatch(/ 60$/);
  expect(endedFirst.text).toBe(answer.text);
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
