import 'fake-indexeddb/auto';
import { vi } from 'vitest';
import { HEALTH_HEADER, PROTOCOL, type EngineConfig } from '../../../src/core/protocol/messages.ts';
import { FakeEngineWorker } from './fake-engine-worker.ts';
import { FakeLocks } from './fake-locks.ts';
import { FakeContainer } from './fake-service-worker.ts';

/** What a test can change or see of the browser around a page. */
export interface FakeBrowser {
  /** The page's folder, ends in "/": no other test has the same. */
  base: string;
  locks: FakeLocks;
  container: FakeContainer;
  /** What the page reported as uncaught. */
  reported: unknown[];
}

/**
 * Puts a page into the globals, whose browser has what the library needs: service workers, Web Locks,
 * workers, IndexedDB and WebGPU. To be undone by `closeBrowser`.
 */
export function openBrowser(): FakeBrowser {
  const base = `http://site/${crypto.randomUUID()}/`;
  const locks = new FakeLocks();
  const container = new FakeContainer();
  const reported: unknown[] = [];
  const limits = { maxBufferSize: 2 ** 31, maxStorageBufferBindingSize: 2 ** 30 };
  const adapter = { limits, features: new Set(['shader-f16']) };
  const estimate = () => Promise.resolve({ quota: 3e9, usage: 1e9 });
  vi.stubGlobal('navigator', {
    ...{ locks, serviceWorker: container, storage: { estimate } },
    gpu: { requestAdapter: () => Promise.resolve(adapter) },
  });
  vi.stubGlobal('document', { baseURI: base });
  vi.stubGlobal('isSecureContext', true);
  vi.stubGlobal('Worker', FakeEngineWorker);
  vi.stubGlobal('reportError', (error: unknown) => reported.push(error));
  vi.stubGlobal('fetch', () => {
    const headers = container.controller ? { [HEALTH_HEADER]: PROTOCOL } : undefined;
    return Promise.resolve(new Response(null, headers && { headers }));
  });
  return { base, locks, container, reported };
}

/** Ends everything in it. */
export function closeBrowser(): void {
  FakeEngineWorker.reset();
  vi.unstubAllGlobals();
}

/** What the engine worker of a page without options is told. */
export function configOf({ base }: FakeBrowser): EngineConfig {
  return { protocol: PROTOCOL, base, hub: 'http://hub/', libraries: 'http://libraries/' };
}
