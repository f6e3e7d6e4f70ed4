import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import type { Page } from 'playwright/test';
import type { StartOptions } from '../../src/index.ts';
import { withUndebugged } from '../browser/support/browser/undebugged.ts';
import { say } from '../browser/support/chat.ts';
import {
  begin,
  expect,
  openStarted,
  restart,
  SMOLLM2,
  test,
  TINY,
} from '../browser/support/fixtures.ts';
import { addDropped, listed, remove } from '../browser/support/models.ts';
import { headersOfGguf } from '../support/gguf/tiny-gguf.ts';
import { measurePage } from './memory.ts';

const NAVIGATIONS = 50;
/** So many pages fill the caches of the browser. */
const WARM_UP = 10;
/** So many conversations fill the engine's caches: llama.cpp keeps up to 32 KV caches, each written as it is used. */
const CONVERSATIONS = 40;
const MAX_GROWTH = 0.05;
const MAX_ADDING_MS = 2_000;

/** The browser would keep some of the pages, to go back to them. */
const WITHOUT_KEPT_PAGES = ['--disable-back-forward-cache'];

const ENGINES = [
  { name: 'the default model on the CPU', model: SMOLLM2, engine: 'llamacpp' },
  { name: 'tiny-chat on WebLLM', model: TINY, engine: 'webllm' },
] as const;

for (const { name, model, engine } of ENGINES) {
  test(`memory after ${NAVIGATIONS} navigations is as before: ${name}`, async ({ site }) => {
    // Playwright's record of requests would grow with each navigation.
    await withUndebugged(async (context) => {
      const options: StartOptions = { outlive: true, engines: [engine], model };
      const page = await openStarted(context, site.url, options);
      expect(await page.evaluate(() => window.v1.device.host)).toBe('shared-worker');
      const navigate = async (times: number) => {
        for (let done = 0; done < times; done++) {
          await page.goto(`${site.url}?page=${done}`);
          await page.waitForFunction(() => 'begin' in window);
          await begin(page, options);
          expect(await listed(page, model)).toMatchObject({ state: 'loaded' });
          await say(page, `Say ${done}.`, { model, max_tokens: 8 });
        }
      };
      const measure = async (when: string) => {
        const { renderers, gpu } = await measurePage(page);
        process.stdout.write(`${when}: renderers ${inMb(renderers)}, GPU ${inMb(gpu)} MB\n`);
        return { renderers, gpu };
      };
      for (let asked = 0; asked < CONVERSATIONS; asked++)
        await say(page, `Tell ${asked}.`, { model, max_tokens: 8 });
      await navigate(WARM_UP);
      const before = await measure(`after ${WARM_UP} navigations`);
      await navigate(NAVIGATIONS);
      const after = await measure(`after ${NAVIGATIONS} more`);
      for (const part of ['renderers', 'gpu'] as const)
        expect(after[part], part).toBeLessThanOrEqual(before[part] * (1 + MAX_GROWTH));
    }, WITHOUT_KEPT_PAGES);
  });
}

/** Lets the adapter, which is emulated here, say that it computes in 16 bits. */
const WITH_F16 = `
const { get } = Object.getOwnPropertyDescriptor(GPUAdapter.prototype, 'features');
Object.defineProperty(GPUAdapter.prototype, 'features', {
  get() { return new Set([...get.call(this), 'shader-f16']); },
});
`;

test('a file of 6 GB is added where it lies, for a GPU, and refused for a CPU', async ({
  fresh,
  site,
}, testInfo) => {
  const path = testInfo.outputPath('large.gguf');
  const size = writeSparse(path);
  site.preludes['engine.js'] = WITH_F16;
  const engines: StartOptions = { engines: ['llamacpp'] };
  const page = await openStarted(fresh, site.url, { ...engines, llamacppDevice: 'wasm' });
  await expect(addDropped(page, path)).rejects.toThrow(
    /large\.gguf needs 6\.\d GB of memory, but llama\.cpp can use only 4\.3 GB on the CPU/,
  );
  await restart(page, { ...engines, llamacppDevice: 'webgpu' });
  const before = await usage(page);
  const begun = performance.now();
  const model = await addDropped(page, path);
  const ms = performance.now() - begun;
  const grown = (await usage(page)) - before;
  process.stdout.write(
    `${(size / 1e9).toFixed(1)} GB added in ${ms.toFixed(0)} ms; storage has grown by ${grown} bytes\n`,
  );
  expect(await listed(page, model)).toMatchObject({ state: 'installed', bytes: size });
  expect(ms).toBeLessThanOrEqual(MAX_ADDING_MS);
  expect(grown).toBeLessThan(1e6);
  await remove(page, model);
});

/** Writes the header of a model of more than 6 GB; its weights are a hole. @returns the size, bytes */
function writeSparse(path: string): number {
  const sides = { width: 4096, heads: 32, cacheHeads: 8, innerWidth: 14_336 };
  const [{ header, size } = { header: Buffer.alloc(0), size: 0 }] = headersOfGguf(1, {
    ...sides,
    layers: 27,
    isQuantised: true,
  });
  const file = openSync(path, 'w');
  writeSync(file, header);
  ftruncateSync(file, size);
  closeSync(file);
  return size;
}

function usage(page: Page): Promise<number> {
  return page.evaluate(async () => (await navigator.storage.estimate()).usage ?? 0);
}

function inMb(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
