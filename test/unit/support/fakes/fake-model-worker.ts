import type {
  FromModelWorker,
  Generate,
  LoadedModel,
  LoadModel,
  ToModelWorker,
  WorkerFailure,
} from '../../../../src/engine/llamacpp/messages.ts';
import type {
  ChildWorker,
  StartWorker,
  WorkerPort,
} from '../../../../src/engine/workers/page-worker.ts';
import { holdWebLock } from '../../../../src/core/port/web-lock.ts';

/** Id of the token of a word. */
const idOf = (word: string) => word.length;

/**
 * What a fake worker does with a generation: it writes words, and then ends or fails. `WAIT`: it writes no
 * more before it is stopped. `DIE`: the browser ends it.
 */
export type Script = (request: Generate) => Generator<string | WorkerFailure, void, undefined>;
export const WAIT = 'wait';
export const DIE = 'die';

export const LOADED: LoadedModel = {
  tokenizer: {
    chatTemplate: '{{ messages[0].content }}',
    bosToken: '',
    eosToken: '<|im_end|>',
    controlTokens: ['<|im_start|>', '<|im_end|>'],
    tokenIds: new Map([
      ['<|im_start|>', 1],
      ['<|im_end|>', 2],
    ]),
  },
  sampling: { topK: 40 },
  stripsFirstSpace: false,
  vocabularySize: 10,
  contextLength: 100,
  stopTokenIds: [2],
  cacheBytes: 1000,
  together: 4,
};

/** Stands in for a worker of llama.cpp, with a model that writes what a test says. */
export class FakeModelWorker extends EventTarget implements ChildWorker {
  /** All workers that were made since the last reset, in order. */
  static made: FakeModelWorker[] = [];
  static script: Script;
  static load: (request: LoadModel) => LoadedModel | WorkerFailure | typeof WAIT;

  /** Whether the next workers ever say anything. */
  static starts: boolean;

  static reset(): void {
    FakeModelWorker.starts = true;
    FakeModelWorker.made = [];
    FakeModelWorker.load = () => LOADED;
    FakeModelWorker.script = function* ({ written }) {
      yield* ['one ', 'two ', 'three'].slice(written.length);
    };
  }

  readonly url: string;
  readonly port: WorkerPort = {
    onmessage: null,
    postMessage: (message: ToModelWorker) => this.#hear(message),
  };
  readonly requests: Generate[] = [];
  /** The requests whose caches were emptied. */
  readonly forgotten: number[] = [];
  readonly stopped: number[] = [];
  loaded: LoadModel | undefined;
  /** Pieces of parts without a Blob: for each, the number of its part, then its bytes. */
  readonly filled: number[][] = [];
  /** The prompts that the worker was told to expect. */
  readonly expected: string[] = [];
  isTerminated = false;
  readonly #starts = FakeModelWorker.starts;
  readonly #release: Promise<() => Promise<void>>;
  #writing: { id: number; words: ReturnType<Script> } | undefined;

  constructor(url: URL) {
    super();
    this.url = url.href;
    const lock = `slashv1:llamacpp:${crypto.randomUUID()}`;
    this.#release = holdWebLock(lock);
    if (this.#starts) void this.#release.then(() => this.#say({ type: 'alive', lock }));
    FakeModelWorker.made.push(this);
  }

  #hear(message: ToModelWorker): void {
    if (this.isTerminated || !this.#starts) return;
    switch (message.type) {
      case 'load':
        this.loaded = message.request;
        this.#say({ type: 'loading', done: 0.5 });
        this.#load(message.request);
        break;
      case 'fill':
        this.filled.push(...message.pieces.map((piece) => [message.part, ...piece]));
        this.#say({ type: 'filled', pieces: message.pieces });
        if (this.loaded) this.#load(this.loaded);
        break;
      case 'expect':
        this.expected.push(message.prompt);
        break;
      case 'generate':
        this.requests.push(structuredClone(message.request));
        this.#writing = { id: message.id, words: FakeModelWorker.script(message.request) };
        this.read();
        this.write();
        break;
      case 'stop':
        this.stopped.push(message.id);
        if (this.#writing) this.#end(message.id);
        break;
      case 'forget':
        this.forgotten.push(message.request);
        break;
      case 'encode':
        this.#say({ type: 'encoded', id: message.id, tokens: Array.from(message.text, () => 1) });
        break;
      case 'vocabulary': {
        const tokens = { bytes: Uint8Array.of(97, 98, 99), ends: Uint32Array.of(1, 1, 3) };
        this.#say({ type: 'vocabulary', tokens });
        break;
      }
    }
  }

  terminate(): void {
    this.isTerminated = true;
    setTimeout(() => void this.#release.then((release) => release()));
  }

  /** Reports that a part of the prompt was read. */
  read(): void {
    const prompt = { promptTokens: 5, cachedTokens: 0, readTokens: 5 };
    if (this.#writing) this.#say({ type: 'progress', id: this.#writing.id, prompt });
  }

  /** Writes until the script waits or ends. */
  write(): void {
    const writing = this.#writing;
    if (!writing) return;
    // Not for…of, which would end the script where it waits.
    for (let next = writing.words.next(); !next.done; next = writing.words.next()) {
      const word = next.value;
      if (word === WAIT) return;
      if (word === DIE) return this.terminate();
      if (typeof word !== 'string') return this.#fail(writing.id, word);
      this.#say({
        type: 'text',
        id: writing.id,
        piece: { text: word, ids: [idOf(word)], tokens: [] },
      });
    }
    this.#end(writing.id);
  }

  /** Reports that the model is open after the first bytes, which are the headers, and loaded after all bytes. */
  #load(request: LoadModel): void {
    const size = request.parts.reduce((sum, part) => sum + (part.blob ? 0 : part.size), 0);
    const filled = this.filled.flatMap(([, ...bytes]) => bytes).length;
    const model = FakeModelWorker.load(request);
    if (model === WAIT) return;
    if (filled > 0 && !('kind' in model)) this.#say({ type: 'opened', model });
    if (filled < size) return;
    if ('kind' in model) this.#say({ type: 'failed', failure: model });
    else this.#say({ type: 'loaded', model });
  }

  #end(id: number): void {
    this.#writing = undefined;
    const usage = { promptTokens: 5, completionTokens: 4, cachedTokens: 0 };
    const outcome = {
      kind: 'finished',
      finish: { type: 'finish', reason: 'stop', usage },
    } as const;
    const texts = this.requests.map(({ prompt }) => prompt);
    this.#say({
      type: 'ended',
      id,
      outcome,
      warm: { texts, caches: texts.length, snapshotBytes: 0 },
    });
  }

  #fail(id: number, failure: WorkerFailure): void {
    this.#writing = undefined;
    const outcome = { kind: 'failed', failure } as const;
    this.#say({ type: 'ended', id, outcome, warm: { texts: [], caches: 1, snapshotBytes: 0 } });
  }

  /** Delivers a message later, as the browser does. */
  #say(data: FromModelWorker): void {
    const wasTerminated = this.isTerminated;
    setTimeout(() => {
      if (!wasTerminated) this.port.onmessage?.(new MessageEvent('message', { data }));
    });
  }
}

export const startFake: StartWorker = (script) => new FakeModelWorker(script);
