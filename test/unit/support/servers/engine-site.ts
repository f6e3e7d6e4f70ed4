import { MLCEngine } from '@mlc-ai/web-llm';
import { vi } from 'vitest';
import { CatalogStore } from '../../../../src/core/catalog/catalog-store.ts';
import type { GenerateEvent, Progress } from '../../../../src/core/operations/events/events.ts';
import type { GenerateJob } from '../../../../src/core/operations/jobs/jobs.ts';
import type { Device } from '../../../../src/core/fit/device-fit.ts';
import { DeviceStore } from '../../../../src/core/database/device-store.ts';
import { learnFacts } from '../../../../src/engine/download/hub/learn-facts.ts';
import { WeightStore } from '../../../../src/core/weights/weight-store.ts';
import { ggufInstaller } from '../../../../src/engine/llamacpp/installation/gguf-installation.ts';
import { onnxInstaller } from '../../../../src/engine/onnx/installation.ts';
import { CacheShim } from '../../../../src/engine/webllm/cache-shim.ts';
import { adminStages } from '../../../../src/engine/host/admin.ts';
import { LoadLog } from '../../../../src/engine/device/load-log.ts';
import { listModels } from '../../../../src/engine/host/model-list.ts';
import { engineOn, roadOf } from '../../../../src/engine/road/road.ts';
import type { Stage } from '../../../../src/engine/road/stage.ts';
import type { HearingOperation } from '../../../../src/engine/onnx/hearing/hearing-engine.ts';
import type { SpeechOperation } from '../../../../src/engine/onnx/speech/speech-engine.ts';
import type { RetrievalOperation } from '../../../../src/engine/retrieval/retrieval-engine.ts';
import { WorkerPool } from '../../../../src/engine/workers/worker-pool.ts';
import { FAKE_DEVICE } from '../fakes/fake-browser.ts';
import { iterated } from '../sinks.ts';
import { KeptAnswers } from '../../../../src/engine/host/kept-answers.ts';
import { TextModels } from '../../../../src/engine/models/text-models.ts';
import { Installer } from '../../../../src/engine/download/installer/installer.ts';
import { Metrics } from '../../../../src/engine/host/metrics.ts';
import { ModelMemory } from '../../../../src/engine/scheduling/model-memory.ts';
import { ProgressBoard } from '../../../../src/engine/scheduling/progress-board.ts';
import { mlcInstaller } from '../../../../src/engine/webllm/installation/mlc-installation.ts';
import { WebLlmBackend } from '../../../../src/engine/webllm/webllm-backend.ts';
import { WebLlmModel } from '../../../../src/engine/webllm/webllm-model.ts';
import { emptyDatabase } from '../database.ts';
import { hubEntry, packEntry } from '../entries.ts';
import { FakeMlcEngine } from '../fakes/fake-mlc-engine.ts';
import { LIBRARY, REPOSITORY, sha256, startHub } from './hub-server.ts';
import { sends, type Answer } from './http-server.ts';

const CHATML =
  '{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}' +
  "{{ '<|im_start|>assistant\\n' }}";

const CHAT_CONFIG = {
  context_window_size: 2048,
  vocab_size: 1024,
  conv_template: { roles: { user: 'U', assistant: 'A' }, seps: ['|'], stop_token_ids: [2] },
};

export const MLC_CONFIG = JSON.stringify(CHAT_CONFIG);

const PACK_FILES: Record<string, string> = {
  'mlc-chat-config.json': MLC_CONFIG,
  'tokenizer.json': JSON.stringify({
    added_tokens: [
      { id: 1, content: '<|im_start|>', special: true },
      { id: 2, content: '<|im_end|>', special: true },
    ],
  }),
  'tokenizer_config.json': JSON.stringify({ chat_template: CHATML, eos_token: '<|im_end|>' }),
  'params_shard_0.bin': 'weights',
  'model.wasm': '\0asm',
};

interface SiteOptions {
  /** Bytes; each pack takes one. */
  memoryBudget?: number;
  unloadAfterMs?: number;
  /** Files of a third pack "c" that differ from those of the others. */
  ofC?: Record<string, string>;
  device?: Device;
}

/** The text engine with real stores, a site with the packs "a" and "b", and a hub. */
export async function openEngine(
  changes: Record<string, Answer> = {},
  { memoryBudget = 1e9, unloadAfterMs = Infinity, ofC, device = {} }: SiteOptions = {},
) {
  FakeMlcEngine.reset();
  const estimate = () => Promise.resolve({ quota: 1e9, usage: 0 });
  const { locks, userAgent } = navigator;
  vi.stubGlobal('navigator', { storage: { estimate }, locks, userAgent });
  const filesOfC = { ...PACK_FILES, ...ofC };
  const server = await startHub({
    ...served('/', PACK_FILES),
    ...served('/c/', filesOfC),
    ...changes,
  });
  const open = emptyDatabase();
  const catalog = new CatalogStore(open);
  for (const id of ['a', 'b']) await catalog.put(siteEntry(id, server.url));
  if (ofC) await catalog.put(siteEntry('c', `${server.url}c/`, filesOfC));
  const hub = hubEntry(REPOSITORY, {
    source: { kind: 'hub', repository: REPOSITORY, library: LIBRARY },
    needs: { shaderF16: true },
    overrides: { context_window_size: 1024 },
  });
  await catalog.put(hub);
  const weights = new WeightStore(open);
  const progress = new ProgressBoard();
  const engines = {
    webllm: mlcInstaller({ hub: server.url, libraries: server.url }),
    llamacpp: ggufInstaller({ hub: server.url, device: () => Promise.resolve({}) }),
    onnx: onnxInstaller(server.url),
  };
  const store = new DeviceStore(open);
  const loads = new LoadLog({ store, engine: 'this engine', surroundings: 'this browser' });
  const here = async () => ({ ...device, loads: await loads.records() });
  const installer = new Installer({
    catalog,
    weights,
    progress,
    engines,
    base: server.url,
    device: here,
    retry: { firstDelayMs: 1, attempts: 2 },
  });
  const onBroken = vi.fn<() => void>();
  const budget = () => Promise.resolve(memoryBudget);
  const memory = new ModelMemory({ budget, unloadAfterMs });
  const newModel = async () => new WebLlmModel(MLCEngine);
  const backend = new WebLlmBackend({ newModel, shim: new CacheShim(), installer });
  const text = new TextModels({ backend, installer, progress, memory, loads, onBroken });
  const list = () => listModels({ catalog, weights, progress, device: here });
  const facts = { catalog, engines, device: here, hub: server.url };
  const learn = (id: string, signal: AbortSignal) => learnFacts(id, facts, signal);
  const search = () => Promise.resolve([]);
  const admin = adminStages({
    installer,
    progress,
    list,
    report: () => Promise.resolve(FAKE_DEVICE),
    learn,
    search,
  });
  const keepMeasurement = () => Promise.resolve();
  const answers = new KeptAnswers(new Map(), () => undefined);
  const forget = (model: string) => store.forgetLoads(model);
  const none = {
    installer,
    progress,
    memory,
    loads,
    device: textOnly,
    start: textOnly,
  };
  const road = roadOf({
    site: server.url,
    device: here,
    catalogFill: { ready: goOn },
    catalog,
    installer,
    memory,
    answers,
    storedFiles: () => ({
      files: { answer: textOnly },
      stores: { answer: textOnly },
      members: { answer: textOnly },
      finder: { find: textOnly },
    }),
    servers: { answer: textOnly },
    prompts: { answer: textOnly },
    forget,
    keepMeasurement,
    metrics: new Metrics(),
    admin,
    text,
    speech: new WorkerPool<SpeechOperation>(none),
    retrieval: new WorkerPool<RetrievalOperation>(none),
    hearing: new WorkerPool<HearingOperation>(none),
    builtIn: { answer: goOn, load: goOn, unload: goOn, facts: textOnly },
  });
  const engine = iterated(engineOn(road));
  return { engine, installer, catalog, weights, progress, memory, loads, store, onBroken, server };
}

const goOn: Stage<unknown> = (_, next) => next();

function textOnly(): never {
  throw new Error('This engine runs text models only.');
}

function served(folder: string, files: Record<string, string>) {
  const answers = Object.entries(files).map(([path, content]) => [folder + path, sends(content)]);
  return Object.fromEntries(answers) as Record<string, Answer>;
}

function siteEntry(id: string, url: string, contents = PACK_FILES) {
  const files = Object.entries(contents).map(([path, content]) => ({
    path,
    size: content.length,
    sha256: sha256(content),
  }));
  return packEntry(id, 'r1', { url, files });
}

/** A chat of one user message, or of several that take turns with the assistant's. */
export function chatJob(model: string, ...contents: string[]): GenerateJob {
  return {
    op: 'generate',
    model,
    prompt: {
      kind: 'chat',
      messages: contents.map((content, index) => ({
        role: index % 2 === 0 ? 'user' : 'assistant',
        content,
      })),
      templateOptions: {},
    },
    sampling: {},
    stop: [],
  };
}

/** The whole answer, and the event it ended with. */
export async function answerOf(events: AsyncIterable<GenerateEvent>) {
  let text = '';
  let last: GenerateEvent | undefined;
  for await (const event of events) {
    if (event.type === 'text') text += event.text;
    last = event;
  }
  return { text, last };
}

/** Everything that is reported while the work is done. */
export async function reportsOf(board: ProgressBoard, work: () => Promise<unknown>) {
  const controller = new AbortController();
  const reports: Progress[] = [];
  const watching = board.watch(controller.signal, ({ progress }) => void reports.push(progress));
  await work();
  controller.abort();
  await watching;
  return reports;
}

/** The stage that was reported last of a model. */
export function stageOf(board: ProgressBoard, model: string) {
  for (const event of board.states()) {
    if (event.type === 'progress' && event.progress.model === model) return event.progress.stage;
  }
  return undefined;
}
