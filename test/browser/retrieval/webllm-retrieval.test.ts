import type { Page } from 'playwright/test';
import { testEmbeddings } from '../support/embedding-tests.ts';
import { filesWithText } from '../support/storage/files-with-text.ts';
import { expect, openStarted, restart, withProfile } from '../support/fixtures.ts';
import { crashGpuProcess } from '../support/browser/gpu.ts';
import {
  BARE_EMBEDDER,
  MLC_EMBEDDER,
  PREBUILT_EMBEDDER,
  serveMlcEmbedder,
} from '../support/hub/mlc-embedder.ts';
import { install, listed, remove, unload } from '../support/models.ts';
import {
  dot,
  embed,
  embeddingCases as cases,
  test as searchingTest,
} from '../support/searching.ts';
import { EMBEDDER, serveTestSite } from '../support/site.ts';
import { placesWithText } from '../support/storage/stored-text.ts';
import { workersOf } from '../support/browser/tabs.ts';

/** A word that is found nowhere else. */
const MARKER = 'quincelantern';
const SCRIPT = 'webllm-worker.js';

// A GPU in software computes 2,048 texts in a minute, and longer on a busy machine.
searchingTest.describe.configure({ timeout: 300_000 });

const add = (page: Page, id: string) => page.evaluate((each) => window.v1.models.add(each), id);

const test = searchingTest.extend<object, { searching: Page }>({
  searching: [
    async ({ retrievalSite }, use) => {
      const hub = await serveMlcEmbedder();
      await withProfile(async (profile) => {
        const page = await openStarted(profile, retrievalSite.url, hub.options);
        await add(page, MLC_EMBEDDER);
        await install(page, MLC_EMBEDDER);
        await use(page);
      });
      await hub.close();
    },
    { scope: 'worker' },
  ],
});

testEmbeddings(MLC_EMBEDDER, test);

test('every number of its vectors is that of ONNX Runtime', async ({ searching }) => {
  const texts = cases.paraphrases.slice(0, 12).map(({ text }) => text);
  // One text has the model's full length, so the others are padded.
  texts.push('a '.repeat(254));
  const [ours, theirs] = [
    await embed(searching, texts, { model: MLC_EMBEDDER }),
    await embed(searching, texts, { model: EMBEDDER }),
  ];
  const differences = ours.flatMap((vector, place) =>
    vector.map((value, index) => Math.abs(value - (theirs[place]?.[index] ?? Infinity))),
  );
  expect(differences).toHaveLength(13 * 128);
  expect(Math.max(...differences)).toBeLessThan(1e-4);
});

test('it computes in a worker of its own, which ends when the model is unloaded', async ({
  searching,
}) => {
  const ask = () => embed(searching, ['Bread'], { model: MLC_EMBEDDER });
  const [before] = await ask();
  expect(await listed(searching, MLC_EMBEDDER)).toMatchObject({ state: 'loaded' });
  expect(workersOf(searching, SCRIPT)).toHaveLength(1);
  await unload(searching, MLC_EMBEDDER);
  expect(await listed(searching, MLC_EMBEDDER)).toMatchObject({ state: 'installed' });
  await expect.poll(() => workersOf(searching, SCRIPT)).toHaveLength(0);
  const [after] = await ask();
  expect(dot(before, after)).toBeCloseTo(1, 6);
});

test('it goes on after the GPU process has crashed', async ({ fresh, closing }) => {
  const site = closing(await serveTestSite('/', ['tiny-chat']));
  const hub = closing(await serveMlcEmbedder());
  const page = await openStarted(fresh, site.url, hub.options);
  await add(page, MLC_EMBEDDER);
  await install(page, MLC_EMBEDDER);
  const ask = () => embed(page, ['Bread'], { model: MLC_EMBEDDER });
  const [before] = await ask();
  await crashGpuProcess(fresh);
  const [after] = await ask();
  expect(dot(before, after)).toBeCloseTo(1, 6);
});

test('embedders of the hub are added, installed and used, also without the hub', async ({
  fresh,
  closing,
}) => {
  const site = closing(await serveTestSite('/', ['tiny-chat']));
  const hub = closing(await serveMlcEmbedder());
  const page = await openStarted(fresh, site.url, hub.options);
  expect(await listed(page, PREBUILT_EMBEDDER)).toMatchObject({
    task: 'embedding',
    embedding: { length: 384 },
    contextLength: 512,
    state: 'available',
    variant: { engine: 'webllm', quantization: 'q0f32' },
    obstacles: [],
  });
  await expect(add(page, BARE_EMBEDDER)).rejects.toThrow(
    'neither a modules.json nor a base model that has one',
  );
  expect(await add(page, MLC_EMBEDDER)).toBe(MLC_EMBEDDER);
  expect(await listed(page, MLC_EMBEDDER)).toMatchObject({
    task: 'embedding',
    contextLength: 256,
    state: 'available',
    embedding: { length: 128, dimensions: [32, 64, 128] },
  });
  const ids = [MLC_EMBEDDER, PREBUILT_EMBEDDER];
  for (const id of ids) await install(page, id);
  const [{ text, vector_start: start } = { text: '', vector_start: [] }] = cases.vectors;
  const check = async () => {
    for (const model of ids) {
      const [vector] = await embed(page, [text], { model });
      for (const [index, value] of start.entries()) expect(vector?.[index]).toBeCloseTo(value, 3);
    }
  };
  await check();
  await hub.close();
  await restart(page, hub.options);
  await check();
  await remove(page, PREBUILT_EMBEDDER);
  expect(await listed(page, PREBUILT_EMBEDDER)).toMatchObject({ state: 'available' });
});

test('a device without WebGPU is told what it lacks', async ({ withoutGpu, closing }) => {
  const site = closing(await serveTestSite('/', ['tiny-chat']));
  const hub = closing(await serveMlcEmbedder());
  const engines = ['webllm' as const, 'llamacpp' as const];
  const page = await openStarted(withoutGpu, site.url, { ...hub.options, engines });
  expect(await listed(page, PREBUILT_EMBEDDER)).toMatchObject({ obstacles: ['webgpu'] });
  await expect(install(page, PREBUILT_EMBEDDER)).rejects.toThrow(/WebGPU/);
});

test('texts and their vectors leave nothing in storage, files or logs', async ({
  kept: { context, folder },
  closing,
}) => {
  const site = closing(await serveTestSite('/', ['tiny-chat']));
  const hub = closing(await serveMlcEmbedder());
  const logged: string[] = [];
  context.on('console', (message) => logged.push(message.text()));
  const page = await openStarted(context, site.url, hub.options);
  await add(page, MLC_EMBEDDER);
  await install(page, MLC_EMBEDDER);
  const [vector] = await embed(page, [MARKER], { model: MLC_EMBEDDER });
  const secrets = [MARKER, String(vector?.[0])];
  expect(secrets[1]).toMatch(/^-?0\.\d{8}/);
  for (const secret of secrets) expect(await placesWithText(page, secret)).toEqual([]);
  expect(logged.filter((line) => line.includes(MARKER))).toEqual([]);
  await context.close();
  for (const secret of secrets) expect(filesWithText(folder, secret)).toEqual([]);
});
