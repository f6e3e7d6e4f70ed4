import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { EngineConfig } from '../../../../src/core/realms/messages.ts';
import { VERSION } from '../../../../src/core/version.ts';
import { mayOutlive, outlivingWorkers } from '../../../../src/page/leader/outliving.ts';
import { standBy } from '../../../../src/page/leader/standby.ts';
import { FakeLocks } from '../../support/fakes/fake-locks.ts';
import { NEVER } from '../../support/never.ts';

const BASE = 'http://site/';

const config: EngineConfig = {
  protocol: '',
  base: BASE,
  hub: '',
  libraries: '',
  outlive: true,
};

/** The names of the workers that were started. */
let shared: string[];
let ofPage: string[];
let adapter: object | null;

/** Reads its options as Chromium does, and answers each ping. */
class FakeSharedWorker extends EventTarget {
  readonly port: MessagePort;

  constructor(script: string | URL, options: { name: string; extendedLifetime?: boolean }) {
    super();
    const { name, extendedLifetime } = options;
    if (!URL.canParse(String(script))) throw new DOMException('No URL', 'SyntaxError');
    expect(extendedLifetime).toBe(true);
    shared.push(name);
    const { port1, port2 } = new MessageChannel();
    port2.onmessage = () => port2.postMessage({ type: 'slashv1:pong' });
    this.port = port1;
  }
}

beforeEach(() => {
  shared = [];
  ofPage = [];
  adapter = null;
  vi.stubGlobal('origin', 'http://site');
  vi.stubGlobal('localStorage', { getItem: () => null });
  vi.stubGlobal('crossOriginIsolated', true);
  vi.stubGlobal('SharedWorker', FakeSharedWorker);
  vi.stubGlobal(
    'Worker',
    class extends EventTarget {
      constructor(_script: URL, { name }: { name: string }) {
        super();
        ofPage.push(name);
      }
    },
  );
  const gpu = { requestAdapter: () => Promise.resolve(adapter) };
  vi.stubGlobal('navigator', { locks: new FakeLocks(), hardwareConcurrency: 2, gpu });
});

afterEach(() => vi.unstubAllGlobals());

const auto: EngineConfig = { ...config, outlive: 'auto' };

test("'auto' leaves the engine in an isolated page that computes by several threads", async () => {
  expect(await mayOutlive(config)).toBe(true);
  expect(await mayOutlive(auto)).toBe(false);
});

test.each([
  ['the page is not isolated', () => vi.stubGlobal('crossOriginIsolated', false), {}],
  ['the page asks for one thread', () => undefined, { threads: 1 }],
  ['models compute on a real GPU', () => (adapter = { info: { vendor: 'nvidia' } }), {}],
])("with 'auto', it outlives the page where %s", async (_, arrange, more) => {
  arrange();
  expect(await mayOutlive({ ...auto, ...more })).toBe(true);
});

test('nothing outlives the pages of a browser without such workers', async () => {
  vi.stubGlobal('SharedWorker', undefined);
  expect(await mayOutlive(config)).toBe(false);
  expect(await outlivingWorkers(config, NEVER)).toBeUndefined();
});

test('the version is in the name of the engine, and what uses WebCodecs is a worker of the page', async () => {
  const stopping = new AbortController();
  const start = await outlivingWorkers(config, stopping.signal);
  for (const name of ['slashv1 llama.cpp', 'slashv1 speech', 'slashv1 hearing'])
    start?.(new URL('model.js', BASE), name);
  expect(shared).toEqual([
    expect.stringContaining(`slashv1 engine ${VERSION} ${BASE}`),
    expect.stringMatching(/^slashv1 llama\.cpp /),
    expect.stringMatching(/^slashv1 speech /),
  ]);
  expect(ofPage).toEqual(['slashv1 hearing']);
  stopping.abort();
});

test('no tab stands by for an engine that outlives its pages', async () => {
  const run = vi.fn(() => Promise.resolve());
  await standBy({ config, present: { run } }, { run }, NEVER);
  expect(run).not.toHaveBeenCalled();
});
