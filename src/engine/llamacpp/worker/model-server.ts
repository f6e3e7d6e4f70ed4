import type * as XGrammar from '@mlc-ai/web-xgrammar';
import type { LlamaModule } from '../../../../models/llamacpp/module.ts';
import { BATCH_TOKENS } from '../../../core/files/gguf/gguf-memory.ts';
import { GgufError } from '../../../core/files/gguf/gguf-error.ts';
import { ApiError } from '../../../core/errors/errors.ts';
import { ConstraintError } from '../../conversation/constraint/output-constraint.ts';
import type { DecodeImage } from '../../images/decode-image.ts';
import type { OpenGpu } from './gpu/open-gpu.ts';
import { GpuFailure } from './gpu/gpu-failure.ts';
import { loadOnGpu } from './gpu/load-on-gpu.ts';
import { BatchCosts } from './drafts/batch-costs.ts';
import { GrammarMasks } from './grammar-masks.ts';
import { KvContexts } from './kv-contexts.ts';
import { LlamaError, requireIntact } from './llama-error.ts';
import { Llama, MOST_OUTPUTS } from './llama.ts';
import type {
  FromModelWorker,
  Generate,
  LoadModel,
  Outcome,
  ToModelWorker,
  WorkerFailure,
} from '../messages.ts';
import { ModelFiles } from '../model-files.ts';
import type { OpenModule } from './open-module.ts';
import { ThreadedDecoder } from './threaded-decoder.ts';
import type { ImageTokens } from './image-tokens.ts';
import { BUILDS, openStates, type OpenPrompts } from './kept/open-states.ts';
import {
  imageTokensOf,
  loadedModel,
  readFacts,
  tokenTable,
  usable,
  type Loaded,
} from './opened-model.ts';
import { promptTokens } from './prompt-tokens.ts';
import { writeAnswer, type Run } from './write-answer.ts';
import { messageOf } from '../../../core/text/message-of.ts';

/** Longest warm-up, milliseconds: weights that arrive meanwhile have to wait. */
const WARM_UP_MS = 50;
/** How long a prompt may take to arrive before the warm-up, milliseconds: the engine needs the headers to make it. */
const PATIENCE_MS = 50;

interface ModelServerOptions {
  openModule: OpenModule;
  openGpu: OpenGpu;
  xgrammar: typeof XGrammar;
  decodeImage: DecodeImage;
  openPrompts: OpenPrompts;
  /** How many tokens of an answer may be computed ahead; undefined: as many as pay. */
  mostDrafted?: number;
  /** Waits for a turn of the event loop. */
  turn: () => Promise<void>;
  /** The port to the engine. */
  port: { postMessage(message: FromModelWorker, transfer?: Transferable[]): void };
}

/** A model whose weights are arriving. */
interface Arriving {
  llama: Llama;
  contexts: KvContexts;
  images: ImageTokens;
  decoder: ThreadedDecoder;
  files: ModelFiles;
  /** Whether the first prompt was announced. */
  isExpected: boolean;
}

/** Runs one model, controlled by messages. */
export class ModelServer {
  readonly #parts: ModelServerOptions;
  #model: Loaded | undefined;
  #arriving: Arriving | undefined;
  #isOnGpu = false;
  /** Resolves as soon as the module is open. */
  readonly #files = Promise.withResolvers<ModelFiles>();
  readonly #runs = new Map<number, Run>();
  /** Resolves when all earlier requests are done. */
  #done: Promise<void> = Promise.resolve();

  constructor(parts: ModelServerOptions) {
    this.#parts = parts;
  }

  receive(message: ToModelWorker): void {
    switch (message.type) {
      case 'load':
        this.#enqueue(() => this.#load(message.request));
        break;
      case 'fill':
        void this.#fill(message.part, message.pieces).catch((error: unknown) => this.#fail(error));
        break;
      case 'expect':
        void this.#expect(message.prompt).catch((error: unknown) => this.#fail(error));
        break;
      case 'generate':
        this.#generate(message.id, message.request);
        break;
      case 'stop': {
        const run = this.#runs.get(message.id);
        if (run) run.isStopped = true;
        break;
      }
      case 'forget':
        this.#enqueue(async () => this.#open.contexts.forget(message.request));
        break;
      case 'encode':
        void this.#encode(message);
        break;
      case 'vocabulary':
        this.#enqueue(async () => this.#tellVocabulary());
        break;
    }
  }

  /** Does the work after all earlier requests. */
  #enqueue(work: () => Promise<void>): void {
    this.#done = this.#done.then(work).catch((error: unknown) => this.#fail(error));
  }

  #fail(error: unknown): void {
    this.#parts.port.postMessage({ type: 'failed', failure: this.#failure(error) });
  }

  /** On a GPU, all that leaves the state of the worker unknown is the GPU's fault: the CPU may be able. */
  #failure(error: unknown): WorkerFailure {
    const found = failure(error);
    const isUnknown = found.kind === 'memory' || found.kind === 'broken';
    return this.#isOnGpu && isUnknown ? { ...found, kind: 'gpu', fault: 'final' } : found;
  }

  async #load(request: LoadModel): Promise<void> {
    if (!request.onGpu) return this.#loadOnCpu(request);
    this.#isOnGpu = true;
    const { model, told } = await loadOnGpu(request, request.onGpu, this.#parts);
    this.#model = model;
    this.#parts.port.postMessage({ type: 'loaded', model: told });
  }

  async #loadOnCpu(request: LoadModel): Promise<void> {
    const { parts, projector, contextLength: wanted, threads, kept } = request;
    const { openModule, xgrammar, decodeImage, port, mostDrafted = MOST_OUTPUTS - 1 } = this.#parts;
    const { module, mostThreads } = await openModule(threads);
    const all = projector ? [...parts, projector] : parts;
    const files = new ModelFiles(module, all, (done) =>
      port.postMessage({ type: 'loading', done }),
    );
    this.#files.resolve(files);
    const whole = files.whole();
    // Reads of the headers throw the same error.
    whole.catch(() => undefined);
    const headers = await files.headers();
    const facts = readFacts(headers);
    const llama = openLlama(module, files.paths.slice(0, parts.length));
    const contextLength = Math.min(wanted, llama.trainedContext);
    const projectorPath = files.paths[parts.length];
    if (projectorPath !== undefined) {
      await whole;
      usable(() => llama.loadProjector(projectorPath));
    }
    const images = imageTokensOf(llama, headers[parts.length], decodeImage);
    const contexts = new KvContexts(llama, images, contextLength);
    const decoder = new ThreadedDecoder(llama, { mostThreads, threads });
    const masks = new GrammarMasks(xgrammar, llama);
    const model = loadedModel(facts, llama, contextLength, contexts);
    const { stripsFirstSpace } = facts;
    if (files.areArriving) {
      this.#arriving = { llama, decoder, contexts, images, files, isExpected: false };
      port.postMessage({ type: 'opened', model });
      setTimeout(() => this.#warmUp(), PATIENCE_MS);
    }
    await whole;
    this.#arriving = undefined;
    this.#model = {
      ...{ llama, decoder, contexts, images, masks, contextLength, stripsFirstSpace },
      mostDrafted: llama.goesBack ? mostDrafted : 0,
      costs: new BatchCosts(),
      states: openStates(llama, this.#parts.openPrompts, kept, BUILDS.wasm),
    };
    port.postMessage({ type: 'loaded', model });
  }

  async #fill(part: number, pieces: Uint8Array<ArrayBuffer>[]): Promise<void> {
    const files = await this.#files.promise;
    files.fill(part, pieces);
    this.#parts.port.postMessage(
      { type: 'filled', pieces },
      pieces.map(({ buffer }) => buffer),
    );
    this.#readOn();
  }

  /** Uses the idle CPU while weights arrive. */
  #warmUp(): void {
    const { contexts, decoder, isExpected } = this.#arriving ?? {};
    if (!contexts || isExpected) return;
    try {
      this.#early(() => decoder?.warmUp(contexts.first, WARM_UP_MS));
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Begins to read a batch of a prompt while weights are missing. Each layer is computed when it has arrived. */
  async #expect(prompt: string): Promise<void> {
    const arriving = this.#arriving;
    if (!arriving) return;
    arriving.isExpected = true;
    const tokens = await promptTokens(arriving, prompt);
    if (this.#arriving !== arriving) return;
    const { contexts, decoder } = arriving;
    const batch = tokens.slice(0, decoder.batchSize);
    this.#early(() => decoder.beginPrefill(contexts.first, batch, batch.length === tokens.length));
    this.#readOn();
  }

  #readOn(): void {
    const { decoder, files } = this.#arriving ?? {};
    if (files) this.#early(() => decoder?.continuePrefill(files.missing));
  }

  /** Ignores failures that leave llama.cpp intact: the work is done again, and reports its errors, after the load. */
  #early(work: () => void): void {
    try {
      work();
    } catch (error) {
      requireIntact(error);
    }
  }

  #generate(id: number, request: Generate): void {
    const { port, turn } = this.#parts;
    const run: Run = {
      isStopped: false,
      onProgress: (prompt) => port.postMessage({ type: 'progress', id, prompt }),
      onText: (piece) => port.postMessage({ type: 'text', id, piece }),
      turn,
    };
    this.#runs.set(id, run);
    this.#enqueue(async () => {
      let outcome: Outcome;
      try {
        outcome = { kind: 'finished', finish: await writeAnswer(this.#open, request, run) };
      } catch (error) {
        outcome = { kind: 'failed', failure: this.#failure(error) };
      }
      this.#runs.delete(id);
      const { texts, count: caches, snapshotBytes } = this.#open.contexts;
      port.postMessage({ type: 'ended', id, outcome, warm: { texts, caches, snapshotBytes } });
    });
  }

  /** Answers at once, between two steps of a generation: a client is only waiting for a count. */
  async #encode({ id, text, images }: ToModelWorker & { type: 'encode' }): Promise<void> {
    const { port } = this.#parts;
    try {
      port.postMessage({
        type: 'encoded',
        id,
        tokens: await promptTokens(this.#open, text, images),
      });
    } catch (error) {
      if (error instanceof ApiError)
        port.postMessage({ type: 'unencodable', id, data: error.data });
      else port.postMessage({ type: 'failed', failure: this.#failure(error) });
    }
  }

  #tellVocabulary(): void {
    this.#parts.port.postMessage({ type: 'vocabulary', tokens: tokenTable(this.#open.llama) });
  }

  get #open(): Loaded {
    if (!this.#model) throw new LlamaError('broken', 'The worker has no model.');
    return this.#model;
  }
}

function openLlama(module: LlamaModule, paths: readonly string[]): Llama {
  return usable(() => new Llama(module, paths, BATCH_TOKENS));
}

/** Errors of other classes come from WebAssembly, whose state is unknown then. */
function failure(error: unknown): WorkerFailure {
  if (error instanceof ApiError) return { kind: 'api', data: error.data };
  const message = messageOf(error);
  if (error instanceof ConstraintError) return { kind: 'constraint', message };
  if (error instanceof GgufError) return { kind: 'file', message };
  if (error instanceof GpuFailure) return { kind: 'gpu', message, fault: error.fault };
  const isMemory =
    error instanceof LlamaError ? error.failure === 'no_memory' : error instanceof RangeError;
  return { kind: isMemory ? 'memory' : 'broken', message };
}
