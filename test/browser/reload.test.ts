import type { Page } from 'playwright/test';
import { expect, openPage, reloadPage, test, TINY } from './support/fixtures.ts';
import { engineOf } from './support/streamed.ts';

/** A greedy answer. */
async function answer(page: Page, maxTokens: number): Promise<string | null | undefined> {
  return page.evaluate(
    async ([model, max_tokens]) => {
      const completion = await window.client.chat.completions.create({
        model,
        messages: [{ role: 'user', content: 'Count to 12.' }],
        temperature: 0,
        max_tokens,
      });
      return completion.choices[0]?.message.content;
    },
    [TINY, maxTokens] as const,
  );
}

/** Entry points of the model's compute pipelines that are noted as used, and as not used. */
function notedPipelines(page: Page): Promise<{ used: string[]; unused: string[] }> {
  return page.evaluate(async (model) => {
    const [{ name = '' } = {}] = await indexedDB.databases();
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(name);
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(new Error('The database cannot be opened.'));
    });
    const stored = await new Promise<{ blob: Blob }[]>((resolve, reject) => {
      const files = db.transaction('files').objectStore('files');
      const request = files.openCursor();
      const found: { blob: Blob }[] = [];
      request.onerror = () => reject(new Error('The files cannot be read.'));
      request.onsuccess = () => {
        const cursor = request.result;
        if (!cursor) return resolve(found);
        const [id, , path] = cursor.key as string[];
        if (id === model && path === '.slashv1/gpu.json')
          found.push(cursor.value as { blob: Blob });
        cursor.continue();
      };
    });
    db.close();
    const text = (await stored[0]?.blob.text()) ?? '{"pipelines":[]}';
    const { pipelines } = JSON.parse(text) as {
      pipelines: { entryPoint: string; isUsed: boolean }[];
    };
    const names = (isUsed: boolean) =>
      pipelines.filter((each) => each.isUsed === isUsed).map(({ entryPoint }) => entryPoint);
    return { used: names(true), unused: names(false) };
  }, TINY);
}

/** Added to the engine's script: notes the entry points of the compute pipelines that it compiles. */
const NOTE_COMPILED = `
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

test('a reload compiles what answers took, and the rest once an answer takes it', async ({
  fresh,
  site,
}) => {
  site.builds['engine.js'] = NOTE_COMPILED;
  const page = await openPage(fresh, site.url);
  await page.evaluate((model) => window.begin({ model }), TINY);
  // One token takes no more than prefill.
  await answer(page, 1);
  const used = () => notedPipelines(page).then((noted) => noted.used.toSorted());
  await expect.poll(used).not.toEqual([]);
  const first = await notedPipelines(page);
  expect(first.unused).not.toEqual([]);
  expect(await compiled(page)).toEqual([...first.used, ...first.unused].toSorted());

  await reloadPage(page);
  await page.evaluate((model) => window.begin({ model }), TINY);
  expect(await compiled(page)).toEqual(first.used.toSorted());
  expect(await answer(page, 60)).toBe('1 2 3 4 5 6 7 8 9 10 11 12');
  const all = await compiled(page);
  expect(all.length).toBeGreaterThan(first.used.length);
  await expect.poll(used).toEqual(all);

  await reloadPage(page);
  await page.evaluate((model) => window.begin({ model }), TINY);
  expect(await compiled(page)).toEqual(all);
  expect(await answer(page, 60)).toBe('1 2 3 4 5 6 7 8 9 10 11 12');
  expect(await compiled(page)).toEqual(all);
});
