import { expect, test, vi } from 'vitest';
import { randomBytes } from '../../../../support/servers/file-source.ts';
import { splitTinyGguf, tinyGguf } from '../../../../support/gguf/tiny-gguf.ts';
import { add, addFiles, ggufVariant, storedBytes } from '../../../support/adding.ts';
import { openEngine, reportsOf, stageOf } from '../../../support/servers/engine-site.ts';
import { NEVER } from '../../../support/never.ts';

vi.mock('@mlc-ai/web-llm', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  MLCEngine: (await import('../../../support/fakes/fake-mlc-engine.ts')).FakeMlcEngine,
}));

const MIB = 1024 * 1024;
const PICKED = { lastModified: Date.UTC(2026, 10, 22) };

function fileOf(bytes: Buffer, name = 'Tiny-Q4_0.gguf', options: FilePropertyBag = PICKED): File {
  return new File([new Uint8Array(bytes)], name, options);
}

/** A file that gives its bytes up to `at`, and then neither bytes nor an error. */
function stuckFile(bytes: Buffer, at: number): File {
  const file = fileOf(bytes);
  const slice = file.slice.bind(file);
  vi.spyOn(file, 'slice').mockImplementation((start, end) => {
    const blob = slice(start, end);
    const given = new Uint8Array(bytes.subarray(start, at));
    const stream = new ReadableStream({ start: (controller) => controller.enqueue(given) });
    if (end === undefined) vi.spyOn(blob, 'stream').mockReturnValue(stream);
    return blob;
  });
  return file;
}

/** A model that takes several segments to store. */
const LARGE = Buffer.concat([tinyGguf(), randomBytes(8 * MIB, 7)]);

test('a file is copied into the weight store, with progress', async () => {
  const site = await openEngine();
  let id = '';
  const reports = await reportsOf(site.progress, async () => {
    id = await addFiles(site, [fileOf(LARGE)]);
  });
  expect(id).toBe('Tiny-Q4_0');
  expect(new Set(reports.map(({ stage }) => stage))).toEqual(new Set(['download', 'installed']));
  expect(reports.at(-1)).toMatchObject({ loadedBytes: LARGE.length, totalBytes: LARGE.length });
  const entry = await site.catalog.get(id);
  expect(entry).toMatchObject({
    ownedBy: 'local',
    created: PICKED.lastModified / 1000,
    added: true,
  });
  const variant = ggufVariant(entry);
  const { source, parts } = variant;
  expect(source).toMatchObject({ kind: 'local', name: 'Tiny-Q4_0.gguf' });
  expect(parts).toEqual(['Tiny-Q4_0.gguf']);
  expect(LARGE.equals(await storedBytes(site, id, variant, 'Tiny-Q4_0.gguf'))).toBe(true);
});

test('the parts of a split file are added together, in any order', async () => {
  const site = await openEngine();
  const files = splitTinyGguf(2).map((bytes, index) =>
    fileOf(bytes, `Split-0000${index + 1}-of-00002.gguf`),
  );
  await expect(addFiles(site, files.slice(1))).rejects.toMatchObject({
    data: {
      status: 400,
      param: 'model',
      message: 'A part of the model is missing: Split-00001-of-00002.gguf. Add all parts together.',
    },
  });
  await expect(addFiles(site, [...files, fileOf(tinyGguf())])).rejects.toThrow(
    'Tiny-Q4_0.gguf is not a part of the same model as Split-00001-of-00002.gguf.',
  );
  expect(await addFiles(site, files.toReversed())).toBe('Split');
  const { parts, installed } = ggufVariant(await site.catalog.get('Split'));
  expect(parts).toEqual(files.map(({ name }) => name));
  expect(installed?.files.map(({ path }) => path)).toEqual(parts);
});

test('the same file added again changes nothing; another of its name has an id of its own', async () => {
  const site = await openEngine();
  const id = await addFiles(site, [fileOf(tinyGguf())]);
  const before = await site.catalog.get(id);
  expect(await addFiles(site, [fileOf(tinyGguf())])).toBe(id);
  expect(await site.catalog.get(id)).toEqual(before);
  const other = await addFiles(site, [fileOf(tinyGguf({ seed: 2 }))]);
  expect(other).toMatch(/^Tiny-Q4_0-[0-9a-f]{8}$/);
  const later = await addFiles(site, [fileOf(tinyGguf(), undefined, { lastModified: 1 })]);
  expect(new Set([id, other, later]).size).toBe(3);
});

test.each([
  ['notes.txt', tinyGguf(), "'notes.txt' is not a .gguf file."],
  ['a.gguf', Buffer.from('a picture, and not a model'), 'a.gguf is not a GGUF file.'],
  ['a.gguf', Buffer.from('GGUF'), 'a.gguf is not a GGUF file.'],
  ['a.gguf', tinyGguf().subarray(0, 5000), 'a.gguf is truncated: '],
  ['a.gguf', tinyGguf().subarray(0, -1), 'a.gguf is truncated: '],
])('%s that is no whole model is refused, and nothing is kept', async (name, bytes, message) => {
  const site = await openEngine();
  const before = await site.catalog.list();
  await expect(addFiles(site, [fileOf(bytes, name)])).rejects.toMatchObject({
    data: { status: 400, message: expect.stringContaining(message) },
  });
  expect(await site.catalog.list()).toEqual(before);
});

test('a copy that was paused continues when the file is added again', async () => {
  const site = await openEngine();
  const { installer, progress, catalog, weights } = site;
  const adding = addFiles(site, [stuckFile(LARGE, 5 * MIB)]);
  await vi.waitFor(async () => {
    const plan = await catalog.plan('Tiny-Q4_0');
    const key = ['Tiny-Q4_0', plan?.revision ?? '', 'Tiny-Q4_0.gguf'] as const;
    expect(await weights.received([...key])).toBeGreaterThan(0);
  });
  installer.pause('Tiny-Q4_0');
  await expect(adding).rejects.toMatchObject({ data: { code: 'download_paused' } });
  expect(stageOf(progress, 'Tiny-Q4_0')).toBe('paused');
  // Without the file, the error can only say what to do.
  await expect(installer.install('Tiny-Q4_0', NEVER)).rejects.toMatchObject({
    data: { code: 'model_unusable', message: expect.stringContaining('Add the file once more') },
  });
  const reports = await reportsOf(progress, () => addFiles(site, [fileOf(LARGE)]));
  expect(stageOf(progress, 'Tiny-Q4_0')).toBe('installed');
  const first = reports.find(({ stage }) => stage === 'download');
  expect(first?.loadedBytes).toBeGreaterThanOrEqual(5 * MIB);
});

test('a damaged file is asked for, and repaired by adding it again', async () => {
  const site = await openEngine();
  const { installer, weights } = site;
  const id = await addFiles(site, [fileOf(tinyGguf())]);
  const model = await installer.requireModel(id, NEVER);
  const { revision } = model.installation;
  const damaged = { blob: new Blob(['damaged']), sha256: 'other' };
  await weights.put(id, revision, 'Tiny-Q4_0.gguf', damaged);
  const load = () =>
    installer.loadVerified(model, (read) => read('Tiny-Q4_0.gguf'), NEVER, vi.fn());
  await expect(load()).rejects.toThrow(/Tiny-Q4_0\.gguf came from this device .* once more/);
  await addFiles(site, [fileOf(tinyGguf())]);
  expect((await load())?.size).toBe(tinyGguf().length);
});

test('a file that can no longer be read is an error at once', async () => {
  const site = await openEngine();
  const file = fileOf(LARGE);
  const slice = file.slice.bind(file);
  vi.spyOn(file, 'slice').mockImplementation((start, end) => {
    const blob = slice(start, end);
    const gone = () => {
      throw new DOMException('The file was changed.', 'NotReadableError');
    };
    if (end === undefined)
      vi.spyOn(blob, 'stream').mockReturnValue(new ReadableStream({ pull: gone }));
    return blob;
  });
  await expect(addFiles(site, [file])).rejects.toMatchObject({
    data: {
      code: 'model_unusable',
      message: 'Tiny-Q4_0.gguf cannot be read any more: The file was changed.',
    },
  });
});

test('removing a model that was a file deletes it and its catalog entry', async () => {
  const site = await openEngine();
  const id = await addFiles(site, [fileOf(tinyGguf())]);
  const { revision } = (await site.installer.requireModel(id, NEVER)).installation;
  await site.installer.remove(id);
  expect(await site.catalog.get(id)).toBeUndefined();
  expect(await site.weights.get(id, revision, 'Tiny-Q4_0.gguf')).toBeUndefined();
  await expect(add(site, id)).rejects.toMatchObject({ data: { status: 400 } });
});

test('an engine that knows no files refuses their name with words', async () => {
  const site = await openEngine();
  await expect(add(site, 'Tiny-Q4_0.gguf')).rejects.toThrow(
    `'Tiny-Q4_0.gguf' is not "owner/name" of a model on the hub`,
  );
});
