import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Page } from 'playwright/test';
import { expect, openStarted, restart, test } from '../support/fixtures.ts';
import { install, listed, load, unload } from '../support/models.ts';
import {
  EMBEDDER,
  GGUF_EMBEDDER,
  PACKS,
  RANKER,
  RECOGNISER,
  SEER,
  serveTestSite,
  type TestSite,
} from '../support/site.ts';

const KINDS = [
  { id: EMBEDDER, pack: 'tiny-embed', task: 'embedding', engine: 'onnx' },
  { id: GGUF_EMBEDDER, pack: 'tiny-embed-gguf', task: 'embedding', engine: 'llamacpp' },
  { id: RANKER, pack: 'tiny-rerank', task: 'rerank', engine: 'onnx' },
  { id: RECOGNISER, pack: 'tiny-hear', task: 'transcription', engine: 'onnx' },
  { id: SEER, pack: 'tiny-see', task: 'chat', engine: 'llamacpp' },
];

test('embedders, rankers, recognisers and models that see have states, progress, sizes and obstacles as all others', async ({
  fresh,
  closing,
}) => {
  const packs = KINDS.map(({ pack }) => pack);
  const site = closing(await serveTestSite('/', packs));
  const page = await openStarted(fresh, site.url);
  await page.evaluate(() => {
    window.stages = [];
    window.v1.onProgress(({ model, stage }) => window.stages.push(`${model} ${stage}`));
  });
  for (const { id, pack, task, engine } of KINDS) {
    const bytes = bytesOf(pack);
    const whole = { task, variant: { engine }, bytes, obstacles: [] };
    expect(await listed(page, id)).toMatchObject({ ...whole, state: 'embedded' });
    const release = hold(site, largestFile(pack));
    const installing = install(page, id);
    await expect
      .poll(() => listed(page, id))
      .toMatchObject({ state: 'downloading', downloadedBytes: expect.any(Number) });
    release();
    await installing;
    expect(await listed(page, id)).toMatchObject({ ...whole, state: 'installed' });
    await load(page, id);
    const loaded = await listed(page, id);
    expect(loaded).toMatchObject({ ...whole, state: 'loaded', gpuBytes: 0 });
    // The weights and the compute buffers are in memory.
    expect(loaded?.memoryBytes).toBeGreaterThan(0.5 * bytes);
    await unload(page, id);
    expect(await listed(page, id)).toMatchObject({ ...whole, state: 'installed' });
    expect(await stagesOf(page, id)).toEqual([
      'download',
      'installed',
      'load',
      'ready',
      'unloaded',
    ]);
  }
  await restart(page, { memoryBudget: 1 });
  for (const { id } of KINDS) {
    expect(await listed(page, id)).toMatchObject({ obstacles: ['memory'] });
  }
});

declare global {
  interface Window {
    stages: string[];
  }
}

/** The stages of a model, in order, each once. */
async function stagesOf(page: Page, id: string): Promise<string[]> {
  const stages = await page.evaluate(() => window.stages);
  const own = stages.filter((stage) => stage.startsWith(`${id} `));
  return [...new Set(own.map((stage) => stage.slice(id.length + 1)))];
}

/** Paths of a pack's files, below the site. */
function filesOf(pack: string): { path: string; file: string }[] {
  const folder = PACKS[pack] ?? '';
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => ({ path: `/packs/${pack}/${name}`, file: join(folder, name) }))
    .filter(({ file }) => extname(file) !== '' && !file.endsWith('manifest.json'));
}

const sizeOf = ({ file }: { file: string }) => statSync(file).size;

function bytesOf(pack: string): number {
  return filesOf(pack).reduce((sum, each) => sum + sizeOf(each), 0);
}

function largestFile(pack: string) {
  const [largest] = filesOf(pack).sort((a, b) => sizeOf(b) - sizeOf(a));
  if (!largest) throw new Error(`${pack} has no files.`);
  return largest;
}

/** The site sends half of the file, and the rest when the returned function is called. */
function hold(site: TestSite, { path, file }: { path: string; file: string }): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  site.intercept = ({ url }, response) => {
    if (url !== path) return false;
    const bytes = readFileSync(file);
    response.writeHead(200, { 'content-length': bytes.length });
    response.write(bytes.subarray(0, bytes.length / 2));
    void promise.then(() => response.end(bytes.subarray(bytes.length / 2)));
    return true;
  };
  return () => {
    site.intercept = undefined;
    resolve();
  };
}
