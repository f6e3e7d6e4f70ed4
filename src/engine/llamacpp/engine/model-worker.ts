import type { PromptProgress } from '../../../core/operations/events/events.ts';
import { ApiError } from '../../../core/errors/errors.ts';
import type { PromptImage } from '../../../core/operations/jobs/jobs.ts';
import { JobReader } from '../../../core/port/job-reader.ts';
import { webLocks } from '../../../core/port/web-lock.ts';
import type { ChildWorker } from '../../workers/page-worker.ts';
import type { PromptImages } from '../../conversation/prompt/prompt-images.ts';
import type { RawFinish } from '../../conversation/text-model.ts';
import type {
  FromModelWorker,
  Generate,
  LoadedModel,
  LoadModel,
  Outcome,
  TokenTable,
  ToModelWorker,
  WarmTexts,
  WrittenText,
} from '../messages.ts';
import { errorOf, WorkerLost } from './worker-lost.ts';

export type AnswerEvent =
  { type: 'progress'; prompt: PromptProgress } | { type: 'text'; piece: WrittenText } | RawFinish;

/** Most bytes that are sent but not yet taken by the worker: a download continues while the worker starts. */
const MOST_UNTAKEN = 64 * 1024 * 1024;

/** A running generation. */
export interface RunningAnswer {
  /** Resolves at its end. Rejects with ApiError, ConstraintError or WorkerLost. */
  done: Promise<void>;
  stop: () => void;
}

/** The worker of one model, seen from the engine. It ends with the first failure that leaves its state unknown. */
export class ModelWorker {
  readonly #worker: ChildWorker;
  readonly #opened = Promise.withResolvers<LoadedModel>();
  readonly #loaded = Promise.withResolvers<LoadedModel>();
  #vocabulary: PromiseWithResolvers<TokenTable> | undefined;
  readonly #answers = new Map<number, JobReader<AnswerEvent>>();
  readonly #encodings = new Map<number, PromiseWithResolvers<number[]>>();
  readonly #ended = new AbortController();
  /** Why it has ended. */
  #end: Error | undefined;
  /** Bytes that were sent with `fill` and are not taken yet. */
  #untaken = 0;
  #taken = Promise.withResolvers<void>();
  /** Memory of a piece that was taken. */
  #free: ArrayBuffer | undefined;
  #onLoading: (done: number) => void = () => undefined;
  #nextId = 1;
  /** The state of its KV caches after the last answer. */
  warm: WarmTexts = { texts: [], caches: 1, snapshotBytes: 0 };

  /** @param worker - runs `llamacpp.js` */
  constructor(worker: ChildWorker) {
    this.#worker = worker;
    for (const { promise } of [this.#opened, this.#loaded]) promise.catch(() => undefined);
    this.#worker.addEventListener('error', ({ message, error }) =>
      error instanceof ApiError ? this.end(error) : this.#lose(message),
    );
    this.#worker.port.onmessage = this.#receive;
  }

  get isEnded(): boolean {
    return this.#ended.signal.aborted;
  }

  /**
   * @param onLoading - gets the part that is loaded, 0 to 1
   * @throws ModelFileError, ApiError if memory does not suffice, WorkerLost
   */
  load(request: LoadModel, onLoading: (done: number) => void): Promise<LoadedModel> {
    this.#onLoading = onLoading;
    this.#post({ type: 'load', request });
    return this.#loaded.promise;
  }

  /**
   * Sends the next bytes of a part that was loaded without a Blob. Each piece is a whole buffer, which is transferred.
   *
   * @returns when the worker can take more, or has ended; memory of an earlier piece, if some is free
   */
  async fill(part: number, pieces: Uint8Array<ArrayBuffer>[]): Promise<ArrayBuffer | undefined> {
    this.#untaken += lengthOf(pieces);
    const message: ToModelWorker = { type: 'fill', part, pieces };
    this.#worker.port.postMessage(
      message,
      pieces.map(({ buffer }) => buffer),
    );
    while (this.#untaken > MOST_UNTAKEN && !this.isEnded) await this.#taken.promise;
    const memory = this.#free;
    this.#free = undefined;
    return memory;
  }

  /** For a model that is being downloaded to the CPU: resolves when its headers have arrived. Rejects like `load`. */
  get opened(): Promise<LoadedModel> {
    return this.#opened.promise;
  }

  /** Announces the prompt that will probably be first. The model reads it while the weights arrive. */
  expect(prompt: string): void {
    this.#post({ type: 'expect', prompt });
  }

  /** @param signal - cancels the generation */
  generate(
    request: Generate,
    signal: AbortSignal,
    emit: (event: AnswerEvent) => void,
  ): RunningAnswer {
    const id = this.#nextId++;
    if (this.#end) return { done: Promise.reject(this.#end), stop: () => undefined };
    const stop = () => this.#post({ type: 'stop', id });
    const cancel = () => {
      this.#answers.delete(id);
      stop();
    };
    const reader = new JobReader({ take: emit, signal, mostUnread: Infinity, onStop: cancel });
    this.#answers.set(id, reader);
    const { generation } = request;
    const images = generation.images && copied(generation.images);
    const message = {
      type: 'generate',
      id,
      request: { ...request, generation: { ...generation, images } },
    } as const;
    this.#post(message, images);
    return { done: reader.done, stop };
  }

  /** Empties the KV caches that only this request may use. */
  forget(request: number): void {
    if (!this.isEnded) this.#post({ type: 'forget', request });
  }

  /** The tokens of a prompt, also during a generation. @throws WorkerLost, ApiError 400 for an image */
  encode(text: string, images?: PromptImages): Promise<number[]> {
    const id = this.#nextId++;
    if (this.#end) return Promise.reject(this.#end);
    const encoding = Promise.withResolvers<number[]>();
    this.#encodings.set(id, encoding);
    const copies = images && copied(images);
    this.#post({ type: 'encode', id, text, images: copies }, copies);
    return encoding.promise;
  }

  /** The bytes of all tokens. @throws WorkerLost */
  vocabulary(): Promise<TokenTable> {
    if (this.#end) return Promise.reject(this.#end);
    this.#vocabulary ??= Promise.withResolvers();
    this.#post({ type: 'vocabulary' });
    return this.#vocabulary.promise;
  }

  /** Ends the worker, which frees all its memory. */
  end(error: Error = new WorkerLost('The model was unloaded.')): void {
    this.#end ??= error;
    this.#worker.terminate();
    this.#ended.abort();
    this.#taken.resolve();
    this.#failAll(error);
  }

  #failAll(error: Error): void {
    this.#opened.reject(error);
    this.#loaded.reject(error);
    this.#vocabulary?.reject(error);
    for (const answer of this.#answers.values()) answer.fail(error);
    this.#answers.clear();
    for (const { reject } of this.#encodings.values()) reject(error);
    this.#encodings.clear();
  }

  #lose(why: string): void {
    this.end(new WorkerLost(`The worker of llama.cpp failed: ${why}`));
  }

  readonly #receive = ({ data: message }: MessageEvent<FromModelWorker>): void => {
    switch (message.type) {
      case 'alive':
        this.#onLoading(0);
        // The browser reports no event for a worker that it has killed.
        webLocks.watch(message.lock, () => this.#lose('it was ended'), this.#ended.signal);
        break;
      case 'loading':
        this.#onLoading(message.done);
        break;
      case 'filled':
        this.#untaken -= lengthOf(message.pieces);
        this.#keepFree(message.pieces);
        this.#taken.resolve();
        this.#taken = Promise.withResolvers();
        break;
      case 'opened':
        this.#opened.resolve(message.model);
        break;
      case 'loaded':
        this.#keepFree([]);
        // `alive` may come later: its lock has to be granted first.
        this.#onLoading = () => undefined;
        this.#loaded.resolve(message.model);
        break;
      case 'progress':
        this.#answers.get(message.id)?.push({ type: 'progress', prompt: message.prompt });
        break;
      case 'text':
        this.#answers.get(message.id)?.push({ type: 'text', piece: message.piece });
        break;
      case 'ended':
        this.warm = message.warm;
        this.#finish(message.id, message.outcome);
        break;
      case 'encoded':
        this.#encodings.get(message.id)?.resolve(message.tokens);
        this.#encodings.delete(message.id);
        break;
      case 'unencodable':
        this.#encodings.get(message.id)?.reject(new ApiError(message.data));
        this.#encodings.delete(message.id);
        break;
      case 'vocabulary':
        this.#vocabulary?.resolve(message.tokens);
        break;
      case 'failed':
        if (message.failure.kind === 'broken') this.#lose(message.failure.message);
        else this.end(errorOf(message.failure));
        break;
    }
  };

  /** Keeps the memory of the first piece, and frees the rest: garbage is collected so late that it would pile up. */
  #keepFree([first, ...others]: readonly Uint8Array<ArrayBuffer>[]): void {
    this.#free?.transfer(0);
    for (const { buffer } of others) buffer.transfer(0);
    this.#free = first?.buffer;
  }

  #finish(id: number, outcome: Outcome): void {
    const answer = this.#answers.get(id);
    this.#answers.delete(id);
    switch (outcome.kind) {
      case 'finished':
        answer?.push(outcome.finish);
        answer?.end();
        break;
      case 'failed': {
        const error = errorOf(outcome.failure);
        answer?.fail(error);
        if (error instanceof WorkerLost) this.end(error);
        break;
      }
    }
  }

  /** @param images - copies in the message, which are transferred */
  #post(message: ToModelWorker, images: ImageCopies = new Map()): void {
    const given = Array.from(images.values(), ({ file }) => file.buffer);
    this.#worker.port.postMessage(message, given);
  }
}

function lengthOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}

type ImageCopies = ReadonlyMap<string, PromptImage & { file: Uint8Array<ArrayBuffer> }>;

/** Copies images, which may be needed again. Copying and transferring takes half the time of cloning in a message. */
function copied(images: PromptImages): ImageCopies {
  return new Map(
    Array.from(images, ([key, image]) => [key, { ...image, file: new Uint8Array(image.file) }]),
  );
}
