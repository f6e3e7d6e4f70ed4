/// <reference lib="webworker" />
/**
 * Replaces `engine.js`: the worker that hosts the engine of a page. What is before and behind it is real:
 * the page, the service worker, the API, keys and the catalog's database.
 */
import { serveEngine } from '../../../src/core/port/engine-host.ts';
import type { FromEngineWorker, ToEngineWorker } from '../../../src/core/realms/messages.ts';
import { holdWebLock } from '../../../src/core/port/web-lock.ts';
import { databaseOpener } from '../../../src/core/database/database.ts';
import { DeviceStore } from '../../../src/core/database/device-store.ts';
import { VERSION } from '../../../src/core/version.ts';
import { deviceReport } from '../../../src/engine/device/device-report.ts';
import { llamacppThreads, onnxThreads } from '../../../src/engine/scheduling/threads.ts';
import type { Scenario } from '../support/scripted/scenario.ts';
import { ScriptedEngine, type PageOperation } from '../support/scripted/scripted-engine.ts';
import { ScriptedModels } from '../support/scripted/scripted-models.ts';

declare const self: DedicatedWorkerGlobalScope;

declare global {
  /** The server writes it before this script. */
  var scenario: Scenario;
  /** For tests. */
  var scripted: ScriptedEngine;
}

const open = databaseOpener(new URL('.', location.href).pathname);
const { gpu, hasF16 } = scenario;
const device = { gpu, hasF16, memoryBudget: 4_000_000_000 };
const threads = { llamacpp: llamacppThreads(undefined, self), onnx: onnxThreads(undefined, self) };
const report = deviceReport(device, {
  host: 'page',
  gpuName: '',
  isolated: crossOriginIsolated,
  threads,
});
const models = new ScriptedModels(scenario, device, open);
globalThis.scripted = new ScriptedEngine(scenario, models, report);
const ready = Promise.all([models.fillCatalog(), new DeviceStore(open).put(device)]);

const lock = `slashv1:engine:${crypto.randomUUID()}`;
void holdWebLock(lock).then(() => tell({ type: 'slashv1:alive', lock, version: VERSION }));

self.addEventListener('message', ({ data, ports: [port] }: MessageEvent<ToEngineWorker>) => {
  if (data.type === 'slashv1:ping') tell({ type: 'slashv1:pong' });
  if (data.type !== 'slashv1:attach' || !port) return;
  void ready.then(() => serveEngine<PageOperation>(port, scripted));
});

function tell(message: FromEngineWorker): void {
  self.postMessage(message);
}
