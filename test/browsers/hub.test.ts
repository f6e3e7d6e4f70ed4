import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { install, listed, unload } from '../browser/support/models.ts';
import { packFiles } from '../browser/support/hub/pack-files.ts';
import { serveRepositories } from '../browser/support/hub/repositories.ts';
import { embed, embeddingCases } from '../browser/support/searching.ts';
import { PACKS } from '../browser/support/site.ts';
import { begin, expect, test } from './support/fixtures.ts';

const REPOSITORY = 'o/embedder';

test('an embedder of the hub is added, installed and used, also without the hub', async ({
  site,
  newTab,
}) => {
  const folder = PACKS['tiny-embed'] ?? '';
  const paths = packFiles('tiny-embed').map(({ path }) => path);
  const files = new Map(paths.map((path) => [path, readFileSync(join(folder, path))]));
  const hub = await serveRepositories(new Map([[REPOSITORY, files]]));
  try {
    const tab = await newTab(site.url);
    await begin(tab, { hub: hub.url });
    await tab.evaluate((source) => window.v1.models.add(source), REPOSITORY);
    expect(await listed(tab, REPOSITORY)).toMatchObject({
      task: 'embedding',
      state: 'available',
      embedding: { length: 128 },
      bytes: files.get('onnx/model.onnx')?.length,
    });
    await install(tab, REPOSITORY);
    const [{ text, vector_start: start } = { text: '', vector_start: [] }] = embeddingCases.vectors;
    const first = async () => {
      const [vector] = await embed(tab, [text], { model: REPOSITORY });
      return vector?.[0] ?? Number.NaN;
    };
    expect(await first()).toBeCloseTo(start[0] ?? Number.NaN, 3);
    // This ends the worker, so its files are needed again.
    await unload(tab, REPOSITORY);
    await hub.close();
    expect(await first()).toBeCloseTo(start[0] ?? Number.NaN, 3);
  } finally {
    await hub.close();
  }
});
