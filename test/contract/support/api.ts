import 'fake-indexeddb/auto';
import OpenAI, { type ClientOptions } from 'openai';
import type { Calibration } from '../../../src/core/catalog/calibration.ts';
import type { CatalogEntry } from '../../../src/core/catalog/catalog-entry.ts';
import { CatalogStore } from '../../../src/core/catalog/catalog-store.ts';
import { databaseOpener } from '../../../src/core/database/database.ts';
import { DeviceStore } from '../../../src/core/database/device-store.ts';
import type { Engine } from '../../../src/core/port/engine.ts';
import type { ApiOperation } from '../../../src/core/operations/jobs/jobs.ts';
import { createKey } from '../../../src/core/keys/key-format.ts';
import type { PackManifest } from '../../../src/core/catalog/pack-manifest.ts';
import { packEntry as entryOfPack } from '../../../src/core/catalog/pack-variant.ts';
import { KeyStore } from '../../../src/core/keys/keys.ts';
import { smallDatabase } from '../../../src/core/database/small-database.ts';
import { createApp, type AppOptions } from '../../../sw/app.ts';
import { siteApi } from '../../../sw/site-api.ts';
import type { Grace } from '../../../sw/road/running-job.ts';
import { browserFetch } from './browser-fetch.ts';
import { TestEngine } from './test-engine.ts';

export const ORIGIN = 'http://localhost:4173';
export const MODEL = 'slashv1/tiny-chat';
export const HUB_MODEL = 'mlc-ai/Some-1B-q4f16_1-MLC';
export const EMBEDDER = 'o/embedder';
export const RANKER = 'o/ranker';
/** Understands English and German, translates, and tells the times of words. */
export const RECOGNISER = 'o/recogniser';
export const UNINSTALLED_MODEL = 'mlc-ai/Other-1B-q4f16_1-MLC';

/** Speaks; its voices are `ann` (en-US), `bob` (en-GB) and `cleo` (fr-FR, then de). */
export const SPEECH_MODEL = 'slashv1/voices';
export const UNINSTALLED_SPEECH_MODEL = 'onnx-community/Some-Voices';

export interface TestApi {
  scope: string;
  engine: TestEngine;
  keys: KeyStore;
  /** Facts that an engine has found out about the device; none at first. */
  device: DeviceStore;
  /** A key for every model. */
  key: string;
  /** The app itself, as the service worker calls it. */
  app: ReturnType<typeof createApp>;
  /** What the app is built on. */
  options: AppOptions;
  /** Sends a request as a page would; `path` is below the base URL. */
  fetch: (path: string, init?: RequestInit) => Promise<Response>;
  /** POSTs a JSON body, with the key. */
  post: (path: string, body: unknown, init?: RequestInit) => Promise<Response>;
  /** The openai package, pointed at the app. */
  client: (options?: ClientOptions) => OpenAI;
}

/** What the API needs of an engine. */
export type ApiEngine = Engine<ApiOperation>;

interface Setup {
  /** Path that `v1` is under. */
  root?: string;
  graceMs?: Grace;
  /** What is between the app and the test engine; undefined: nothing. */
  via?: (engine: ApiEngine) => ApiEngine;
  /** `hasSignals` of AppOptions. */
  hasSignals?: boolean;
  /** Pages can watch the API's requests, on the channel of `scope`. */
  isWatchable?: boolean;
  /** `MODEL` sees images. */
  sees?: boolean;
  /** How the decisions of `MODEL` are calibrated. */
  calibration?: Calibration;
}

/** The API app with real stores over an IndexedDB in memory, each time a new one. */
export async function openApi(setup: Setup = {}): Promise<TestApi> {
  const { root = '/', graceMs, via = (direct: ApiEngine) => direct } = setup;
  const { hasSignals = false, sees = false, isWatchable = false, calibration } = setup;
  const engine = new TestEngine();
  const scope = `/${crypto.randomUUID()}/`;
  const open = databaseOpener(scope);
  const keys = new KeyStore(smallDatabase(scope));
  const device = new DeviceStore(open);
  const catalog = new CatalogStore(open);
  const features = sees ? ['vision'] : [];
  for (const entry of catalogEntries(features, calibration)) await catalog.put(entry);
  const key = createKey();
  await keys.add(key, { label: 'test' });
  const options: AppOptions = {
    ...siteApi(scope, via(engine), () => Promise.resolve({}), hasSignals),
    path: `${root}v1`,
    ...(!isWatchable && { log: undefined }),
    ...(graceMs && { graceMs }),
  };
  const app = createApp(options);
  const baseURL = `${ORIGIN}${root}v1`;
  const fetch = browserFetch(app);
  const authorization = `Bearer ${key}`;
  return {
    scope,
    engine,
    keys,
    device,
    key,
    app,
    options,
    fetch: (path, init) => fetch(baseURL + path, { headers: { authorization }, ...init }),
    post: (path, body, init) =>
      fetch(baseURL + path, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: typeof body === 'string' ? body : JSON.stringify(body),
        ...init,
      }),
    client: (given) => new OpenAI({ baseURL, apiKey: key, fetch, ...given }),
  };
}

/**
 * What the catalog holds.
 *
 * @param features - of `MODEL`
 * @param calibration - of `MODEL`
 */
export function catalogEntries(features: string[] = [], calibration?: Calibration): CatalogEntry[] {
  return [
    packEntry(features, calibration),
    speechEntry(SPEECH_MODEL, true),
    speechEntry(UNINSTALLED_SPEECH_MODEL, false),
    hubEntry(HUB_MODEL, true),
    hubEntry(UNINSTALLED_MODEL, false),
    ...onnxEntries(),
  ];
}

function packEntry(features: string[], calibration?: Calibration): CatalogEntry {
  const place = { url: `${ORIGIN}/packs/tiny-chat/`, position: 0 };
  const manifest: PackManifest = {
    format: 'slashv1-pack',
    version: 1,
    id: MODEL,
    task: 'chat',
    ownedBy: 'slashv1',
    created: 1_700_000_000,
    license: 'mit',
    contextLength: 2048,
    features,
    ...(calibration && { calibration }),
    variants: [
      {
        engine: 'webllm',
        quantization: 'q4f32_s8',
        needs: { memoryBytes: 1 },
        revision: '0a',
        modelLibrary: 'model.wasm',
        files: [],
      },
    ],
  };
  return entryOfPack(manifest, place);
}

function speechEntry(id: string, installed: boolean): CatalogEntry {
  const source = { kind: 'hub' as const, repository: id, files: [] };
  return {
    id,
    task: 'speech',
    ownedBy: 'mlc-ai',
    created: 0,
    contextLength: 512,
    variants: [
      {
        id: 'onnx-q8',
        engine: 'onnx',
        quantization: 'q8',
        needs: {},
        source,
        graph: 'model.onnx',
        ...(installed && { installed: INSTALLED }),
      },
    ],
    speech: {
      family: 'kokoro',
      voices: [
        { id: 'ann', name: 'Ann', languages: ['en-US'], gender: 'female' },
        { id: 'bob', name: 'Bob', languages: ['en-GB'], gender: 'male' },
        { id: 'cleo', name: 'Cleo', languages: ['fr-FR', 'de'] },
      ],
      aliases: { nova: 'bob' },
      sampleRate: 24_000,
    },
  };
}

function onnxEntries(): CatalogEntry[] {
  const entry = (id: string) => ({
    id,
    ownedBy: 'o',
    created: 0,
    contextLength: 256,
    variants: [
      {
        id: 'onnx-q8',
        engine: 'onnx' as const,
        quantization: 'q8',
        needs: {},
        source: { kind: 'hub' as const, repository: id, files: [] },
        graph: 'model.onnx',
        installed: INSTALLED,
      },
    ],
  });
  const embedding = { length: 4, dimensions: [2, 4] };
  const transcription = { languages: ['en', 'de'], translates: true, timesWords: true };
  return [
    { ...entry(EMBEDDER), task: 'embedding', embedding },
    { ...entry(RANKER), task: 'rerank' },
    { ...entry(RECOGNISER), task: 'transcription', transcription },
  ];
}

function hubEntry(id: string, installed: boolean): CatalogEntry {
  const source = { kind: 'hub' as const, repository: id, library: 'some.wasm' };
  return {
    id,
    task: 'chat',
    ownedBy: 'mlc-ai',
    created: 0,
    contextLength: 4096,
    variants: [
      {
        id: 'webllm-q4f16_1',
        engine: 'webllm',
        quantization: 'q4f16_1',
        source,
        needs: { shaderF16: true },
        modelLibrary: 'model.wasm',
        ...(installed && { installed: INSTALLED }),
      },
    ],
  };
}

const INSTALLED = { revision: 'c0ffee', files: [] };
