import 'fake-indexeddb/auto';
import { vi } from 'vitest';
import type { DeviceReport } from '../../../../src/core/realms/device-report.ts';
import {
  HEALTH_HEADER,
  PROTOCOL,
  VERSION_HEADER,
  type EngineConfig,
} from '../../../../src/core/realms/messages.ts';
import { END_NOTE, VERSION, VERSION_NOTE } from '../../../../src/core/version.ts';
import { FakeEngineWorker } from './fake-engine-worker.ts';
import { FakeLocks } from './fake-locks.ts';
import { FakeContainer } from './fake-service-worker.ts';
import { stubWindow } from './fake-window.ts';

/** What a test can change or see of the browser around a page. */
export interface FakeBrowser {
  /** The page's folder, another one for each test; ends in "/". */
  base: string;
  locks: FakeLocks;
  container: FakeContainer;
  /** What the page reported as uncaught. */
  reported: unknown[];
  /** What the site's service worker reports about itself, and the script that its server sends. */
  site: { protocol: string; version: string; script: string };
}

/**
 * Puts a page into the globals. Its browser has what the library needs: service workers, Web Locks, workers, IndexedDB
 * and WebGPU. `closeBrowser` undoes this.
 */
export function openBrowser(): FakeBrowser {
  const base = `http://site/${crypto.randomUUID()}/`;
  const locks = new FakeLocks();
  const container = new FakeContainer();
  container.registration.scope = base;
  const reported: unknown[] = [];
  vi.stubGlobal('navigator', {
    locks,
    serviceWorker: container,
    userAgent: 'Chrome',
    maxTouchPoints: 0,
    gpu: { requestAdapter: () => Promise.resolve({}) },
  });
  stubWindow(base);
  vi.stubGlobal('isSecureContext', true);
  vi.stubGlobal('Worker', FakeEngineWorker);
  vi.stubGlobal('reportError', (error: unknown) => reported.push(error));
  const site = { protocol: PROTOCOL, version: VERSION, script: VERSION_NOTE + END_NOTE };
  vi.stubGlobal('fetch', ({ pathname }: URL) => {
    if (pathname.endsWith('.js')) return Promise.resolve(new Response(site.script));
    const headers = { [HEALTH_HEADER]: site.protocol, [VERSION_HEADER]: site.version };
    return Promise.resolve(new Response(null, container.controller ? { headers } : {}));
  });
  return { base, locks, container, reported, site };
}

/** What the engine of a page without a GPU says about the device. */
export const FAKE_DEVICE: DeviceReport = {
  gpu: 'none',
  shaderF16: false,
  engine: 'llamacpp',
  llamacpp: 'wasm',
  reason: 'No GPU.',
  host: 'page',
  isolated: false,
  memoryBudget: 1,
  threads: {
    llamacpp: { count: 1, limit: 8, reason: 'not-isolated' },
    onnx: { count: 1, limit: 4, reason: 'not-isolated' },
  },
};

/** A navigator that lacks WebGPU. */
export function withoutGpu({ locks, serviceWorker, userAgent, maxTouchPoints }: Navigator): object {
  return { locks, serviceWorker, userAgent, maxTouchPoints };
}

/** Undoes `openBrowser`, and ends the page's workers. */
export function closeBrowser(): void {
  FakeEngineWorker.reset();
  vi.unstubAllGlobals();
}

/** What the engine worker of a page without options is told. */
export function configOf({ base }: FakeBrowser): EngineConfig {
  return { protocol: PROTOCOL, base, hub: 'http://hub/', libraries: 'http://libraries/' };
}
