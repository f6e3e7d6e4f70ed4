import type { BrowserContext, Page } from 'playwright/test';
import { expect, openStarted, test as base, type TestSite } from '../support/fixtures.ts';
import { difference, withHalf } from '../support/hub/halves.ts';
import { install, listed } from '../support/models.ts';
import { serveRepositories, type RepositoryHub } from '../support/hub/repositories.ts';
import { serveTestSite } from '../support/site.ts';

const MODEL = 'someone/embedder-ONNX';

interface Parts {
  /** Has tiny-embed, with a graph of 32 bits. */
  embedding: TestSite;
  /** Has it with a graph of 16 bits, too. */
  hub: RepositoryHub;
}

const test = base.extend<
  Parts & { closing: <T extends { close(): Promise<unknown> }>(server: T) => T }
>({
  embedding: async ({ closing }, use) => use(closing(await serveTestSite('/', ['tiny-embed']))),
  hub: async ({ closing }, use) => {
    await use(closing(await serveRepositories(new Map([[MODEL, withHalf('tiny-embed')]]))));
  },
});

/** A page that has added the model of the hub, and the scripts that its workers run from now on. */
async function withModel(
  profile: BrowserContext,
  { embedding, hub }: Parts,
): Promise<{ page: Page; scripts: string[] }> {
  const page = await openStarted(profile, embedding.url, {
    hub: hub.url,
    speechDevice: 'webgpu',
  });
  const scripts: string[] = [];
  page.on('worker', (worker) => scripts.push(new URL(worker.url()).pathname));
  await page.evaluate((source) => window.v1.models.add(source), MODEL);
  return { page, scripts };
}

test('a GPU that does not compute in 16 bits takes the graph of 32', async ({
  fresh,
  embedding,
  hub,
}) => {
  const { page, scripts } = await withModel(fresh, { embedding, hub });
  expect((await listed(page, MODEL))?.variants).toMatchObject([
    { quantization: 'fp32', obstacles: [] },
    { quantization: 'fp16', obstacles: ['shader-f16'] },
  ]);
  await install(page, MODEL);
  expect(hub.requests).not.toContainEqual(expect.stringMatching(/fp16/));
  expect(await difference(page, MODEL)).toBeLessThan(1e-5);
  expect(scripts).toEqual(['/onnx-gpu.js', '/onnx-gpu.js']);
});

// The driver of these tests cannot compute in 16 bits. Here it claims that it can, and fails. In test/f16, one can.
test('one that does takes the graph of 16 bits, which runs on the CPU if the GPU fails', async ({
  fresh,
  embedding,
  hub,
}) => {
  const claim = `Object.defineProperty(GPUAdapter.prototype, 'features', {
    get: () => new Set(['shader-f16']),
  });\n`;
  for (const script of ['engine.js', 'onnx-gpu.js']) embedding.preludes[script] = claim;
  const { page, scripts } = await withModel(fresh, { embedding, hub });
  expect((await listed(page, MODEL))?.variants).toMatchObject([
    { quantization: 'fp16', obstacles: [] },
    { quantization: 'fp32', obstacles: [] },
  ]);
  await install(page, MODEL);
  expect(hub.requests).not.toContainEqual(expect.stringMatching(/model\.onnx/));
  const found = await difference(page, MODEL);
  expect(scripts.slice(0, 2)).toEqual(['/onnx-gpu.js', '/onnx.js']);
  expect(found).toBeLessThan(1e-2);
  // The difference shows that the 16-bit graph ran.
  expect(found).toBeGreaterThan(1e-6);
});
