import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { embeddedPacks, packInstallation } from '../../../../src/engine/weights/embedded-packs.ts';
import { closedServer, fails, sends, sendsJson, startServer } from '../../support/http-server.ts';

const MANIFEST = {
  ...{ format: 'slashv1-pack', version: 1, id: 'org/model', revision: 'r1', ownedBy: 'org' },
  ...{ created: 5, license: 'mit', quantization: 'q4f16_1', contextLength: 2048, gpuBytes: 9 },
  modelLibrary: 'model.wasm',
  features: ['reasoning'],
  files: [
    { path: 'model.wasm', size: 4, sha256: 'aa' },
    { path: 'weights/0.bin', size: 7 },
  ],
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
    expect(entries?.[0]).toEqual({
      id: 'org/model',
      source: {
        kind: 'pack',
        url: `${site.url}repo/packs/a/`,
        position: 0,
        manifest: MANIFEST,
      },
      ...{ ownedBy: 'org', created: 5, quantization: 'q4f16_1', contextLength: 2048 },
      ...{ features: ['reasoning'], bytes: 11, gpuBytes: 9, license: 'mit' },
    });
  });

  test('are none where there is no list of them', async () => {
    const site = await startServer({});
    expect(await embeddedPacks(site.url)).toEqual([]);
  });

  test('are none where the server sends a page for what is not there', async () => {
    const page = sends('<!doctype html>', { 'content-type': 'text/html; charset=utf-8' });
    const site = await startServer({ '/packs/index.json': page });
    expect(await embeddedPacks(site.url)).toEqual([]);
  });

  test('are not known while the site cannot be reached', async () => {
    expect(await embeddedPacks(await closedServer())).toBeUndefined();
  });

  test('are not known while the site is in trouble', async () => {
    const site = await startServer({ '/packs/index.json': fails(503) });
    expect(await embeddedPacks(site.url)).toBeUndefined();
  });

  test.each([
    ['goes away in between', (response: ServerResponse) => response.destroy()],
    ['fails to send a manifest', fails(503)],
  ])('are not known when the site %s', async (_, manifest) => {
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
    ['is no JSON', sends('{'), 'is no manifest of a model pack'],
    ['is another format', sendsJson({ ...MANIFEST, version: 2 }), 'is no manifest of a model pack'],
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
  if (entry?.source.kind !== 'pack') throw new Error('No pack.');
  expect(packInstallation(entry.source)).toEqual({
    ...{ revision: 'r1', modelLibrary: 'model.wasm' },
    files: [
      { path: 'model.wasm', size: 4, sha256: 'aa', url: `${site.url}packs/a/model.wasm` },
      { path: 'weights/0.bin', size: 7, url: `${site.url}packs/a/weights/0.bin` },
    ],
  });
});
