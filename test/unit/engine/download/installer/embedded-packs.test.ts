import type { ServerResponse } from 'node:http';
import { describe, expect, test, vi } from 'vitest';
import {
  embeddedPacks,
  packInstallation,
} from '../../../../../src/engine/download/installer/embedded-packs.ts';
import { variantOf } from '../../../support/entries.ts';
import {
  closedServer,
  fails,
  sends,
  sendsJson,
  startServer,
} from '../../../support/servers/http-server.ts';

const VARIANT = {
  engine: 'webllm',
  quantization: 'q4f16_1',
  needs: { shaderF16: true, memoryBytes: 9 },
  modelLibrary: 'model.wasm',
};
const files = [
  { path: 'model.wasm', size: 4, sha256: 'aa' },
  { path: 'weights/0.bin', size: 7 },
];
const MANIFEST = {
  format: 'slashv1-pack',
  version: 1,
  id: 'org/model',
  task: 'chat',
  ownedBy: 'org',
  created: 5,
  license: 'mit',
  contextLength: 2048,
  features: ['reasoning'],
  variants: [{ ...VARIANT, revision: 'r1', files }],
};

describe('the packs of a site', () => {
  test('become catalog entries, in the site’s order', async () => {
    const site = await startServer({
      '/repo/packs/index.json': sendsJson({ packs: ['a/', 'b/'] }),
      '/repo/packs/a/manifest.json': sendsJson(MANIFEST),
      '/repo/packs/b/manifest.json': sendsJson({ ...MANIFEST, id: 'org/b' }),
    });
    const entries = await embeddedPacks(`${site.url}repo/`);
    expect(entries?.map(({ id }) => id)).toEqual(['org/model', 'org/b']);
    const url = `${site.url}repo/packs/a/`;
    const { features } = MANIFEST;
    const manifest = { revision: 'r1', features, files };
    expect(entries?.[0]).toEqual({
      id: 'org/model',
      task: 'chat',
      ownedBy: 'org',
      created: 5,
      license: 'mit',
      contextLength: 2048,
      features: ['reasoning'],
      variants: [
        {
          ...VARIANT,
          id: 'webllm-q4f16_1',
          bytes: 11,
          source: { kind: 'pack', url, position: 0, manifest },
        },
      ],
    });
  });

  test('are not asked for manifests that the index has', async () => {
    const site = await startServer({
      '/packs/index.json': sendsJson({
        packs: ['a/', 'b/'],
        manifests: { 'a/': { ...MANIFEST, id: 'org/a' } },
      }),
      '/packs/a/manifest.json': fails(503),
      '/packs/b/manifest.json': sendsJson({ ...MANIFEST, id: 'org/b' }),
    });
    const entries = await embeddedPacks(site.url);
    expect(entries?.map(({ id }) => id)).toEqual(['org/a', 'org/b']);
    const { source } = variantOf(entries?.[0]);
    expect(source).toMatchObject({ url: `${site.url}packs/a/`, position: 0 });
  });

  test('are asked for manifests that the index has in a format of another build', async () => {
    const site = await startServer({
      '/packs/index.json': sendsJson({ packs: ['a/'], manifests: { 'a/': { version: 3 } } }),
      '/packs/a/manifest.json': sendsJson(MANIFEST),
    });
    expect((await embeddedPacks(site.url))?.map(({ id }) => id)).toEqual(['org/model']);
  });

  test('are an empty list if the site has no index', async () => {
    const site = await startServer({});
    expect(await embeddedPacks(site.url)).toEqual([]);
  });

  test('are an empty list if the server sends a page for a missing index', async () => {
    const page = sends('<!doctype html>', { 'content-type': 'text/html; charset=utf-8' });
    const site = await startServer({ '/packs/index.json': page });
    expect(await embeddedPacks(site.url)).toEqual([]);
  });

  test('are unknown if the site does not answer, or not to the end', async () => {
    for (const answer of [
      () => undefined,
      (response: ServerResponse) => void response.writeHead(200).write('{"packs":'),
    ]) {
      const site = await startServer({ '/packs/index.json': answer });
      const waiting = new AbortController();
      const packs = embeddedPacks(site.url, waiting.signal);
      await vi.waitFor(() => expect(site.requests).toHaveLength(1));
      waiting.abort();
      expect(await packs).toBeUndefined();
    }
  });

  test('are unknown while the site cannot be reached', async () => {
    expect(await embeddedPacks(await closedServer())).toBeUndefined();
  });

  test.each([401, 403, 429, 503])('are unknown while the site answers %s', async (status) => {
    const site = await startServer({ '/packs/index.json': fails(status) });
    expect(await embeddedPacks(site.url)).toBeUndefined();
  });

  test.each([
    ['is empty', ''],
    ['breaks off', '{ "packs": ["a/",'],
    ['is of something else', '{ "models": [] }'],
  ])('are an error that says how to mend their list if that %s', async (_, content) => {
    const site = await startServer({ '/packs/index.json': sends(content) });
    const message = `${site.url}packs/index.json is not a list of packs`;
    await expect(embeddedPacks(site.url)).rejects.toThrow(message);
    await expect(embeddedPacks(site.url)).rejects.toThrow('Run `npx slashv1 init`');
  });

  test.each([
    ['breaks the connection', (response: ServerResponse) => response.destroy()],
    ['fails to send a manifest', fails(503)],
    ['refuses to send a manifest', fails(429)],
  ])('are unknown if the site %s', async (_, manifest) => {
    const site = await startServer({
      '/packs/index.json': sendsJson({ packs: ['a/', 'b/'] }),
      '/packs/a/manifest.json': sendsJson(MANIFEST),
      '/packs/b/manifest.json': manifest,
    });
    expect(await embeddedPacks(site.url)).toBeUndefined();
  });

  test.each([
    ['is missing', fails(404), 'has no manifest.json: HTTP 404'],
    [
      'is a page',
      sends('<html>', { 'content-type': 'text/html' }),
      'has no manifest.json: HTTP 200',
    ],
    ['is no JSON', sends('{'), 'is not the manifest of a model pack'],
    [
      'is another format',
      sendsJson({ ...MANIFEST, version: 3 }),
      'is not the manifest of a model pack',
    ],
  ])('whose manifest %s are an error that says which', async (_what, manifest, message) => {
    const site = await startServer({
      '/packs/index.json': sendsJson({ packs: ['a/'] }),
      '/packs/a/manifest.json': manifest,
    });
    await expect(embeddedPacks(site.url)).rejects.toThrow(message);
    await expect(embeddedPacks(site.url)).rejects.toThrow(`${site.url}packs/a/`);
  });
});

test('the files of a pack lie beside its manifest', async () => {
  const site = await startServer({
    '/packs/index.json': sendsJson({ packs: ['a/'] }),
    '/packs/a/manifest.json': sendsJson(MANIFEST),
  });
  const [entry] = (await embeddedPacks(site.url)) ?? [];
  const { source } = variantOf(entry);
  if (source.kind !== 'pack') throw new Error('No pack.');
  expect(packInstallation(source)).toEqual({
    revision: 'r1',
    files: [
      { path: 'model.wasm', size: 4, sha256: 'aa', url: `${site.url}packs/a/model.wasm` },
      { path: 'weights/0.bin', size: 7, url: `${site.url}packs/a/weights/0.bin` },
    ],
  });
});

test('a file of a pack may have any name', async () => {
  const named = [{ path: 'weights/a#b?c%20.bin', size: 7 }];
  const manifest = { ...MANIFEST, variants: [{ ...VARIANT, revision: 'r1', files: named }] };
  const site = await startServer({
    '/packs/index.json': sendsJson({ packs: ['a/'] }),
    '/packs/a/manifest.json': sendsJson(manifest),
  });
  const [entry] = (await embeddedPacks(site.url)) ?? [];
  const { source } = variantOf(entry);
  if (source.kind !== 'pack') throw new Error('No pack.');
  const [file] = packInstallation(source).files;
  expect(file?.url).toBe(`${site.url}packs/a/weights/a%23b%3Fc%2520.bin`);
});
