import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CatalogStore } from '../../../../../src/core/catalog/catalog-store.ts';
import type { Database } from '../../../../../src/core/database/database.ts';
import type { PackFile } from '../../../../../src/core/catalog/pack-file.ts';
import { packEntry } from '../../../../../src/core/catalog/pack-variant.ts';
import type { PackManifest } from '../../../../../src/core/catalog/pack-manifest.ts';
import { WeightStore } from '../../../../../src/core/weights/weight-store.ts';
import { Installer } from '../../../../../src/engine/download/installer/installer.ts';
import { tidyWeights } from '../../../../../src/engine/download/installer/tidy-weights.ts';
import { ProgressBoard } from '../../../../../src/engine/scheduling/progress-board.ts';
import { emptyDatabase } from '../../../support/database.ts';
import {
  fails,
  type HttpServer,
  sends,
  startServer,
} from '../../../support/servers/http-server.ts';
import { sha256 } from '../../../support/servers/hub-server.ts';
import { NEVER } from '../../../support/never.ts';

const MODEL = 'org/m';
/** A file that both revisions have. */
const TOKENIZER = 'a tokenizer';
const OLD = { 'tokenizer.json': TOKENIZER, 'old.gguf': 'the old weights' };
const NEW = { 'tokenizer.json': TOKENIZER, 'new.gguf': 'the new, longer weights' };

let open: () => Promise<Database>;
let catalog: CatalogStore;
let weights: WeightStore;
let site: HttpServer;

beforeEach(async () => {
  open = emptyDatabase();
  catalog = new CatalogStore(open);
  weights = new WeightStore(open);
  site = await startServer({});
});

afterEach(() => {
  vi.unstubAllGlobals();
});

/** The engine of a tab. */
function newInstaller(): Installer {
  const plan = () => Promise.reject(new Error('Nothing here is on the hub.'));
  return new Installer({
    catalog,
    weights,
    progress: new ProgressBoard(),
    base: site.url,
    engines: { webllm: { plan }, llamacpp: { plan }, onnx: { plan } },
    device: () => Promise.resolve({}),
    retry: { firstDelayMs: 1, attempts: 1 },
  });
}

type Contents = Record<string, string>;

function variant(revision: string, contents: Contents, quantization = 'Q4_0') {
  const files: PackFile[] = Object.entries(contents).map(([path, content]) => ({
    path,
    size: content.length,
    sha256: sha256(content),
  }));
  const parts = Object.keys(contents).filter((path) => path.endsWith('.gguf'));
  const memory = { weightBytes: 16, tokenBytes: 2, bufferBytes: 1 };
  return { engine: 'llamacpp' as const, quantization, revision, needs: {}, parts, memory, files };
}

type Offered = ReturnType<typeof variant>;

/** What an engine does as it starts on a site that offers these variants, and no other files. */
async function start(offered: Offered[], contents: Contents): Promise<Installer> {
  for (const path of Object.keys(site.answers)) delete site.answers[path];
  for (const [path, content] of Object.entries(contents)) {
    site.answers[`/${path}`] = sends(content);
  }
  site.requests.length = 0;
  const manifest: PackManifest = {
    format: 'slashv1-pack',
    version: 1,
    id: MODEL,
    task: 'chat',
    ownedBy: 'o',
    created: 1,
    license: 'mit',
    contextLength: 2048,
    features: [],
    variants: offered,
  };
  await catalog.replace('pack', [packEntry(manifest, { url: site.url, position: 0 })]);
  await tidyWeights(open);
  return newInstaller();
}

const startOld = () => start([variant('r1', OLD)], OLD);
const startNew = () => start([variant('r2', NEW)], NEW);

async function installOld(): Promise<void> {
  await (await startOld()).install(MODEL, NEVER);
}

const paths = async (revision: string) => [...(await weights.paths(MODEL, revision))].toSorted();
const isWhole = (revision: string, contents: Contents) => async () => {
  expect(await paths(revision)).toEqual(Object.keys(contents).toSorted());
};
const installed = async () =>
  (await catalog.get(MODEL))?.variants.flatMap(({ installed: of }) => of?.revision ?? []);
const becomes = (revision: string) =>
  vi.waitFor(async () => expect(await installed()).toEqual([revision]));

describe('a new revision of an installed pack', () => {
  test('leaves the old one installed until it is whole, without a network too', async () => {
    await installOld();
    const installer = await start([variant('r2', NEW)], {});
    const model = await installer.requireModel(MODEL, NEVER);
    expect(model.installation.revision).toBe('r1');
    expect(model.variant).toMatchObject({ parts: ['old.gguf'] });
    await vi.waitFor(() => expect(site.requests).toContain('GET /new.gguf'));
    const later = await start([variant('r2', NEW)], {});
    expect((await later.requireModel(MODEL, NEVER)).installation.revision).toBe('r1');
    await isWhole('r1', OLD)();
  });

  test('is downloaded beside the old one, which serves meanwhile, except for files with the same hash', async () => {
    await installOld();
    const installer = await startNew();
    expect((await installer.requireModel(MODEL, NEVER)).installation.revision).toBe('r1');
    await becomes('r2');
    expect(site.requests).toEqual(['GET /new.gguf']);
    await isWhole('r2', NEW)();
    const copy = await weights.get(MODEL, 'r2', 'tokenizer.json');
    expect(await copy?.text()).toBe(TOKENIZER);
    const model = await installer.requireModel(MODEL, NEVER);
    expect(model.variant).toMatchObject({ parts: ['new.gguf'] });
    expect(model.entry.update).toBeUndefined();
  });

  test.each([{ saveData: true }, { type: 'cellular' }])(
    'waits where data is dear: %o',
    async (connection) => {
      await installOld();
      const installer = await startNew();
      Object.defineProperty(navigator, 'connection', { value: connection, configurable: true });
      try {
        const model = await installer.requireModel(MODEL, NEVER);
        expect(model.installation.revision).toBe('r1');
      } finally {
        Reflect.deleteProperty(navigator, 'connection');
      }
      expect(site.requests).toEqual([]);
      await installer.requireModel(MODEL, NEVER);
      await becomes('r2');
    },
  );

  test('leaves the old files to those who loaded it, until an engine starts', async () => {
    await installOld();
    await (await startNew()).requireModel(MODEL, NEVER);
    await becomes('r2');
    await isWhole('r1', OLD)();
    await startNew();
    expect(await paths('r1')).toEqual([]);
    await isWhole('r2', NEW)();
  });

  test('whose download breaks off goes on at the next start', async () => {
    await installOld();
    const installer = await start([variant('r2', NEW)], {});
    site.answers['/new.gguf'] = fails(503);
    await installer.install(MODEL, NEVER);
    await vi.waitFor(() => expect(site.requests).toContain('GET /new.gguf'));
    await vi.waitFor(async () => expect(await paths('r2')).toEqual(['tokenizer.json']));
    const next = await startNew();
    expect((await next.install(MODEL, NEVER)).installation.revision).toBe('r1');
    await becomes('r2');
    expect(site.requests).toEqual(['GET /new.gguf']);
  });

  test('is downloaded once by two tabs', async () => {
    await installOld();
    const first = await startNew();
    const second = newInstaller();
    await Promise.all([first.requireModel(MODEL, NEVER), second.requireModel(MODEL, NEVER)]);
    await becomes('r2');
    expect(site.requests).toEqual(['GET /new.gguf']);
  });

  test('for which there is no room leaves the old one', async () => {
    await installOld();
    const { locks, userAgent } = navigator;
    const estimate = vi.fn(() => Promise.resolve({ quota: 10, usage: 10 }));
    vi.stubGlobal('navigator', { storage: { estimate }, locks, userAgent });
    const installer = await startNew();
    expect((await installer.requireModel(MODEL, NEVER)).installation.revision).toBe('r1');
    await vi.waitFor(() => expect(estimate).toHaveBeenCalled());
    expect(site.requests).toEqual([]);
    expect((await installer.requireModel(MODEL, NEVER)).installation.revision).toBe('r1');
  });

  test('that goes back to the installed one downloads nothing', async () => {
    await installOld();
    await start([variant('r2', NEW)], NEW);
    const installer = await startOld();
    const model = await installer.requireModel(MODEL, NEVER);
    expect(model.installation.revision).toBe('r1');
    expect(model.entry.update).toBeUndefined();
    expect(site.requests).toEqual([]);
  });

  test('that drops the installed variant replaces it by another when that is whole', async () => {
    await installOld();
    const installer = await start([variant('r2', NEW, 'Q8_0')], NEW);
    expect((await installer.requireModel(MODEL, NEVER)).variant.quantization).toBe('Q4_0');
    await becomes('r2');
    expect((await installer.requireModel(MODEL, NEVER)).variant.quantization).toBe('Q8_0');
  });

  test('is installed at once if a file of the old one is gone', async () => {
    await installOld();
    await weights.removeFile([MODEL, 'r1', 'old.gguf']);
    const installer = await startNew();
    expect((await installer.requireModel(MODEL, NEVER)).installation.revision).toBe('r2');
    expect(site.requests).toEqual(['GET /new.gguf']);
  });

  test('is what is left when the model is removed', async () => {
    await installOld();
    const installer = await start([variant('r2', NEW)], NEW);
    await installer.remove(MODEL);
    const entry = await catalog.get(MODEL);
    expect(entry?.update).toBeUndefined();
    expect(entry?.variants).toMatchObject([{ parts: ['new.gguf'] }]);
    expect(await paths('r1')).toEqual([]);
  });

  test('is forgotten if the site has the pack no more', async () => {
    await installOld();
    await start([variant('r2', NEW)], NEW);
    await catalog.replace('pack', []);
    expect((await catalog.get(MODEL))?.update).toBeUndefined();
    expect(await installed()).toEqual(['r1']);
  });
});
