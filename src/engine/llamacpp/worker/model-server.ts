import { BATCH_TOKENS } from '../../../core/files/gguf/gguf-memory.ts';
import { ApiError } from '../../../core/errors/errors.ts';
import type { DecodeImage } from '../../images/decode-image.ts';
import type { OpenGpu } from './gpu/open-gpu.ts';
import { loadOnGpu } from './gpu/load-on-gpu.ts';
import { Line } from '../../../core/async/line.ts';
import { failureOf } from './failure-of.ts';
import { KvContexts } from './kv-contexts.ts';
import { LlamaError, requireIntact } from './llama-error.ts';
import type { Llama } from './llama.ts';
import type { FromModelWorker, Generate, LoadModel, Outcome, ToModelWorker } from '../messages.ts';
import { ModelFiles, type FilledFiles } from '../model-files.ts';
import type { OpenModule } from './open-module.ts';
import { ThreadedDecoder } from './threads/threaded-decoder.ts';
import { tokenTable } from './token-table.ts';
import type { ImageTokens } from './prompts/image-tokens.ts';
import { openStates, type OpenPrompts } from './kept/open-states.ts';
import {
  imageTokensOf,
  loadedModel,
  openLlama,
  readFacts,
  readyModel,
  usable,
  type Loaded,
  type WritingOptions,
} from './opened-model.ts';
import { promptTokens } from './prompts/prompt-tokens.ts';
import { writeAnswer, type Run } from './write-answer.ts';

/** Longest warm-up, milliseconds: weights that arrive meanwhile have to wait. */
const WARM_UP_MS = 50;
/** How long a prompt may take to arrive before the warm-up, milliseconds: the engine needs the headers to make it. */
const PATIENCE_MS = 50;

interface ModelServerOptions extends WritingOptions {
  openModule: OpenModule;
  openGpu: OpenGpu;
  decodeImage: DecodeImage;
  openPrompts: OpenPrompts;
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

/** A generation that runs or waits. */
interface Writing {
  run: Run;
  /** The number of its request; undefined: it shares its KV caches. */
  request: number | undefined;
  ended: Promise<void>;
}

/** Runs one model, controlled by messages. */
export class ModelServer {
  readonly #parts: ModelServerOptions;
  #model: Loaded | undefined;
  #arriving: Arriving | undefined;
  #isOnGpu = false;
  /** Resolves as soon as the module is open. */
  readonly #files = Promise.withResolvers<FilledFiles>();
  /** Resolves when the bytes that have come so far are taken. */
  #filled: Promise<void> = Promise.resolve();
  readonly #runs = new Map<number, Writing>();
  /** Where generations wait. */
  #line = new Line(1);
  /** Resolves when all earlier requests are done, except generations. */
  #done: Promise<void> = Promise.resolve();

  constructor(parts: ModelServerOptions) {
    this.#parts = parts;
  }

  receive(message: ToModelWorker): void {
    switch (message.type) {
      case 'load':
        void this.#enqueue(() => this.#load(message.request));
        break;
      case 'fill':
        this.#filled = this.#filled
          .then(() => this.#fill(message.part, message.pieces))
          .catch((error: unknown) => this.#fail(error));
        break;
      case 'expect':
        void this.#expect(message.prompt).catch((error: unknown) => this.#fail(error));
        break;
      case 'generate':
        this.#generate(message.id, message.request);
        break;
      case 'stop': {
        const writing = this.#runs.get(message.id);
        if (writing) writing.run.isStopped = true;
        break;
      }
      case 'forget':
        void this.#forget(message.request);
        break;
      case 'encode':
        void this.#encode(message);
        break;
      case 'vocabulary':
        void this.#enqueue(async () => this.#tellVocabulary());
        break;
    }
  }

  /** Does the work after all earlier requests, except generations. */
  #enqueue(work: () => Promise<void>): Promise<void> {
    return (this.#done = this.#done.then(work).catch((error: unknown) => this.#fail(error)));
  }

  #fail(error: unknown): void {
    this.#parts.port.postMessage({ type: 'failed', failure: failureOf(error, this.#isOnGpu) });
  }

  async #load(request: LoadModel): Promise<void> {
    if (!request.onGpu) return this.#loadOnCpu(request);
    this.#isOnGpu = true;
    const onArriving = (files: FilledFiles) => this.#files.resolve(files);
    const parts = { ...this.#parts, onArriving };
    const { model, told } = await loadOnGpu(request, request.onGpu, parts);
    this.#model = model;
    this.#line = new Line(told.together);
    this.#parts.port.postMessage({ type: 'loaded', model: told });
  }

  async #loadOnCpu(request: LoadModel): Promise<void> {
    const { parts, projector, contextLength: wanted, kvCacheType = 'f16', threads, kept } = request;
    const { openModule, decodeImage, openPrompts, port } = this.#parts;
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
    const paths = files.paths.slice(0, parts.length);
    const llama = openLlama(module, paths, BATCH_TOKENS, kvCacheType);
    const contextLength = Math.min(wanted, llama.trainedContext);
    const projectorPath = files.paths[parts.length];
    if (projectorPath !== undefined) {
      await whole;
      usable(() => llama.loadProjector(projectorPath));
    }
    const images = imageTokensOf(llama, headers[parts.length], decodeImage);
    const contexts = new KvContexts(llama, images, contextLength);
    const decoder = new ThreadedDecoder(llama, { mostThreads, threads });
    const model = loadedModel(facts, llama, contextLength, contexts);
    this.#line = new Line(model.together);
    if (files.areArriving) {
      this.#arriving = { llama, decoder, contexts, images, files, isExpected: false };
      port.postMessage({ type: 'opened', model });
      setTimeout(() => this.#warmUp(), PATIENCE_MS);
    }
    await whole;
    this.#arriving = undefined;
    const opened = {
      llama,
      decoder,
      contexts,
      images,
      contextLength,
      states: openStates(llama, openPrompts, kept, { build: 'wasm', kvCacheType }),
    };
    this.#model = readyModel(opened, facts, this.#parts);
    port.postMessage({ type: 'loaded', model });
  }

  async #fill(part: number, pieces: Uint8Array<ArrayBuffer>[]): Promise<void> {
    const files = await this.#files.promise;
    await files.fill(part, pieces);
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
    const loaded = this.#enqueue(() => Promise.resolve());
    const ended = loaded
      .then(() => this.#line.run(() => this.#write(id, request, run)))
      .catch((error: unknown) => this.#fail(error));
    this.#runs.set(id, { run, request: request.generation.caching?.request, ended });
  }

  async #write(id: number, request: Generate, run: Run): Promise<void> {
    let outcome: Outcome;
    try {
      outcome = { kind: 'finished', finish: await writeAnswer(this.#open, request, run) };
    } catch (error) {
      outcome = { kind: 'failed', failure: failureOf(error, this.#isOnGpu) };
    }
    this.#runs.delete(id);
    const { texts, count: caches, snapshotBytes } = this.#open.contexts;
    const warm = { texts, caches, snapshotBytes };
    this.#parts.port.postMessage({ type: 'ended', id, outcome, warm });
  }

  /** Empties the KV caches of a request, when its generations have ended. */
  async #forget(request: number): Promise<void> {
    const own = [...this.#runs.values()].filter((writing) => writing.request === request);
    await Promise.all(own.map(({ ended }) => ended));
    await this.#enqueue(async () => this.#open.contexts.forget(request));
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
      else port.postMessage({ type: 'failed', failure: failureOf(error, this.#isOnGpu) });
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
