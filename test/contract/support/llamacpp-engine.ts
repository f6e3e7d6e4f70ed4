import makeModule from '../../../models/llamacpp/built/llamacpp.js';
import type { LlamaModule } from '../../../models/llamacpp/module.ts';
import type { ApiOperation, JobOf } from '../../../src/core/operations/jobs/jobs.ts';
import type { KvCacheType } from '../../../src/core/realms/kv-cache-type.ts';
import type { EventOf } from '../../../src/core/operations/events/events.ts';
import { engineOf, type Engine, type Take } from '../../../src/core/port/engine.ts';
import type { InstalledModel } from '../../../src/engine/download/installer/installed-model.ts';
import { showingImages } from '../../../src/engine/images/showing-images.ts';
import { LlamaCppBackend } from '../../../src/engine/llamacpp/engine/llamacpp-backend.ts';
import type { KeptPrompts } from '../../../src/engine/kept-prompts/kept-prompts.ts';
import type { ToModelWorker } from '../../../src/engine/llamacpp/messages.ts';
import { ModelServer } from '../../../src/engine/llamacpp/worker/model-server.ts';
import { moduleOpener } from '../../../src/engine/llamacpp/worker/open-module.ts';
import { TextModels } from '../../../src/engine/models/text-models.ts';
import { pass } from '../../../src/engine/road/stage.ts';
import { ModelMemory } from '../../../src/engine/scheduling/model-memory.ts';
import { ProgressBoard } from '../../../src/engine/scheduling/progress-board.ts';
import type { ChildWorker, WorkerPort } from '../../../src/engine/workers/page-worker.ts';
import { loadXGrammar } from '../../support/xgrammar.ts';
import { ggufVariant, installation, packEntry } from '../../unit/support/entries.ts';
import { decodeFake } from '../../unit/support/fakes/fake-llama.ts';
import { eventsOf } from '../../unit/support/sinks.ts';
import { keptOnFakeDisk } from '../../unit/support/models/kept-prompts.ts';
import { threadScope } from '../../unit/support/models/thread-scope.ts';
import { readTinyChat } from '../../unit/support/models/tiny-chat-llama.ts';
import { MODEL } from './api.ts';
import { TestEngine } from './test-engine.ts';

const SITE = 'http://localhost:4173/';
const WASM = new URL('../../../models/llamacpp/built/llamacpp.wasm', import.meta.url);
const THREADED = { script: new URL('x:threads.js'), wasm: new URL('x:threads.wasm') };
const PART = 'tiny-chat.gguf';

/** tiny-chat, with the sampling of its pack. */
const INSTALLED: InstalledModel = {
  entry: packEntry(MODEL),
  variant: ggufVariant(MODEL, { parts: [PART], sampling: { temperature: 0, topP: 1 } }),
  installation: installation('r1'),
  contextLength: 2048,
};

interface Options {
  /** See ModelServer. */
  mostDrafted?: number;
  /** Makes of llama.cpp what the engine calls. */
  watched?: (module: LlamaModule) => LlamaModule;
  /** The prompts on disk; default: none yet, and a disk of its own. */
  kept?: KeptPrompts;
  /** The files of another revision; default: `r1`. */
  revision?: string;
  /** Default: `f16`. */
  kvCacheType?: KvCacheType;
}

/**
 * An engine whose text is written by tiny-chat, or its child in another tongue, in llama.cpp, in this process: its prompts,
 * grammars, parsers and failure policy are those of the product. Everything else is scripted.
 */
export class LlamaCppEngine extends TestEngine {
  /** How many times the model was loaded. */
  loads = 0;
  /** Whether the engine has asked to be replaced. */
  isBroken = false;
  /** The model’s worker: the last one that was started. */
  #worker: WorkerInProcess | undefined;
  readonly #text: Engine<'generate' | 'decide' | 'tokens'>;

  /** @param model - the GGUF file */
  constructor(model = readTinyChat(), options: Options = {}) {
    super();
    const text = this.#textModels(new Blob([model]), options);
    const images = showingImages(SITE);
    const { checked, installed, turn, memory, answer, decide, inTurns, tokens } = text;
    this.#text = engineOf<'generate' | 'decide' | 'tokens'>({
      generate: (given, signal) =>
        eventsOf(
          (emit, ending) =>
            pass([images, checked, installed, turn, memory, answer], {
              job: given,
              signal: ending,
              emit,
            }),
          signal,
        ),
      decide: (given, signal) =>
        eventsOf(
          (emit, ending) =>
            pass([images, inTurns, installed, turn, memory, decide], {
              job: given,
              signal: ending,
              emit,
            }),
          signal,
        ),
      tokens: (given, signal) =>
        eventsOf(
          (emit, ending) =>
            pass([images, installed, turn, memory, tokens], { job: given, signal: ending, emit }),
          signal,
        ),
    });
  }

  override run<Op extends ApiOperation>(
    job: JobOf<Op>,
    signal: AbortSignal,
    take: Take<EventOf<Op>>,
  ): Promise<void> {
    const isText = job.op === 'generate' || job.op === 'decide' || job.op === 'tokens';
    const engine: Engine<ApiOperation> = isText ? this.#text : { run: super.run.bind(this) };
    return engine.run(job, signal, take);
  }

  /** The model's worker ends, as if the browser had ended it. */
  endWorker(): void {
    this.#worker?.fail();
  }

  #textModels(weights: Blob, options: Options): TextModels {
    const { revision = 'r1', kvCacheType = 'f16' } = options;
    const installed = { ...INSTALLED, kvCacheType, installation: installation(revision) };
    return new TextModels({
      backend: new LlamaCppBackend({ base: SITE, threads: 1 }, () => {
        this.#worker = new WorkerInProcess(options);
        return this.#worker;
      }),
      progress: new ProgressBoard(),
      memory: new ModelMemory({ budget: () => Promise.resolve(Infinity), unloadAfterMs: Infinity }),
      onBroken: () => (this.isBroken = true),
      loads: {
        check: () => Promise.resolve(),
        during: (_, load) => {
          this.loads++;
          return load();
        },
        noteAnswer: () => Promise.resolve(),
        noteGpuFailure: () => Promise.resolve(true),
        noteImages: () => Promise.resolve(),
        noteGpuError: () => Promise.resolve(false),
        noteMemoryError: () => Promise.resolve(false),
      },
      installer: {
        touch: () => Promise.resolve(),
        variantOf: () => Promise.resolve(INSTALLED.variant),
        requireModel: () => Promise.resolve(installed),
        loadVerified: (_, load) => load(() => Promise.resolve(weights)),
      },
    });
  }
}

/** The worker of a llama.cpp model, without a thread of its own. */
class WorkerInProcess extends EventTarget implements ChildWorker {
  readonly #server: ModelServer;
  #isEnded = false;
  readonly port: WorkerPort = {
    onmessage: null,
    postMessage: (message: ToModelWorker) => {
      const copy = structuredClone(message);
      queueMicrotask(() => {
        if (!this.#isEnded) this.#server.receive(copy);
      });
    },
  };

  constructor({
    mostDrafted,
    watched = (module) => module,
    kept = keptOnFakeDisk().kept,
  }: Options) {
    super();
    const open = moduleOpener(makeModule, WASM, THREADED, threadScope(false));
    this.#server = new ModelServer({
      openModule: async (threads) => {
        const { module, mostThreads } = await open(threads);
        return { module: watched(module), mostThreads };
      },
      openGpu: () => Promise.reject(new Error('There is no GPU.')),
      xgrammar: loadXGrammar(),
      decodeImage: decodeFake,
      openPrompts: () => kept,
      turn: () => new Promise((resolve) => setImmediate(resolve)),
      port: {
        postMessage: (data) =>
          this.port.onmessage?.(new MessageEvent('message', { data: structuredClone(data) })),
      },
      ...(mostDrafted !== undefined && { mostDrafted }),
    });
  }

  terminate(): void {
    this.#isEnded = true;
  }

  fail(): void {
    this.dispatchEvent(Object.assign(new Event('error'), { message: 'It was ended.' }));
    this.#isEnded = true;
  }
}
