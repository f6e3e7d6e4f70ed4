import type { Page } from 'playwright/test';
import { say } from '../support/chat.ts';
import { expect, openStarted, restart, test, TINY } from '../support/fixtures.ts';
import { countTo } from '../support/prompts.ts';
import { engineOf } from '../support/browser/tabs.ts';

function answer(page: Page, maxTokens: number) {
  return say(page, 'Count to 12.', { max_tokens: maxTokens });
}

/** Entry points of the model's compute pipelines that are stored as used and as unused, sorted. */
function storedPipelines(page: Page): Promise<{ used: string[]; unused: string[] }> {
  return page.evaluate(async (model) => {
    const { resultOf } = window;
    const [{ name = '' } = {}] = await indexedDB.databases();
    const db = await resultOf(indexedDB.open(name));
    const files = db.transaction('files').objectStore('files');
    const [keys, values] = await Promise.all([
      resultOf(files.getAllKeys()),
      resultOf(files.getAll()),
    ]);
    db.close();
    const at = keys.findIndex((key) => {
      const [id, , path] = key as string[];
      return id === model && path === '.slashv1/gpu.json';
    });
    const { blob } = (values[at] as { blob: Blob } | undefined) ?? {};
    const { pipelines } = JSON.parse((await blob?.text()) ?? '{"pipelines":[]}') as {
      pipelines: { entryPoint: string; isUsed: boolean }[];
    };
    const names = (isUsed: boolean) =>
      pipelines
        .filter((each) => each.isUsed === isUsed)
        .map(({ entryPoint }) => entryPoint)
        .sort();
    return { used: names(true), unused: names(false) };
  }, TINY);
}

/** Appended to the engine's script: collects the entry points of the pipelines that it compiles. */
const COLLECT_COMPILED = `
self.compiled = [];
for (const name of ['createComputePipeline', 'createComputePipelineAsync']) {
  const create = GPUDevice.prototype[name];
  GPUDevice.prototype[name] = function (descriptor) {
    self.compiled.push(descriptor.compute.entryPoint);
    return create.call(this, descriptor);
  };
}`;

/** Entry points of the compute pipelines that the engine has compiled, sorted. */
async function compiled(page: Page): Promise<string[]> {
  const names = await engineOf(page).evaluate(
    () => (self as unknown as { compiled: string[] }).compiled,
  );
  return names.toSorted();
}

test.afterEach(({ site }) => {
  site.builds = {};
});

test('a reload compiles only the pipelines that answers used, and others when an answer uses them', async ({
  fresh,
  site,
}) => {
  site.builds['engine.js'] = COLLECT_COMPILED;
  const page = await openStarted(fresh, site.url, { model: TINY });
  // An answer of one token uses only the pipelines of the prefill.
  await answer(page, 1);
  const used = () => storedPipelines(page).then((stored) => stored.used);
  await expect.poll(used).not.toEqual([]);
  const first = await storedPipelines(page);
  expect(first.unused).not.toEqual([]);
  expect(await compiled(page)).toEqual([...first.used, ...first.unused].toSorted());

  await restart(page, { model: TINY });
  expect(await compiled(page)).toEqual(first.used);
  expect(await answer(page, 60)).toBe(countTo(12));
  const all = await compiled(page);
  expect(all.length).toBeGreaterThan(first.used.length);
  await expect.poll(used).toEqual(all);

  await restart(page, { model: TINY });
  expect(await compiled(page)).toEqual(all);
  expect(await answer(page, 60)).toBe(countTo(12));
  expect(await compiled(page)).toEqual(all);
});
