import type { WebSocket } from 'ws';
import {
  decodeBodyFrame,
  encodeBodyFrame,
  parseFromBridgePage,
  type BridgeRequest,
  type BridgeResponse,
  type FromBridgePage,
  type ToBridgePage,
} from '../../core/protocol/bridge-messages.ts';
import type { Progress } from '../../core/protocol/events.ts';

/** Takes the answer to one request: a head, pieces of the body, the end; or `fail` at any time. */
export interface AnswerSink {
  head(response: BridgeResponse): void;
  body(bytes: Uint8Array): void;
  end(): void;
  /** There will be no answer, or no more of it. */
  fail(message: string): void;
}

export interface StartRequest {
  apiKey: string;
  /** To be loaded first. */
  model?: string | undefined;
  onProgress: (progress: Progress) => void;
}

/** The page cannot start for a reason that starting it again would not mend. */
export class PageFailure extends Error {
  /** That of a StartError. */
  readonly code: string | undefined;

  constructor(message: string, code?: string) {
    super(message);
    this.code = code;
  }
}

const GONE = 'The page that runs the engine is gone.';
/** Before more is sent, the WebSocket gets down to this many unsent bytes. */
const MAX_BUFFERED_BYTES = 1024 * 1024;

/** The page that answers, at the other end of a WebSocket. */
export class BridgePage {
  /** Resolves when the page is gone. */
  readonly closed: Promise<void>;
  readonly #socket: WebSocket;
  readonly #sinks = new Map<number, AnswerSink>();
  #nextId = 0;
  #onStartup: (message: FromBridgePage) => void = () => {};

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.binaryType = 'arraybuffer';
    this.closed = new Promise((resolve) => {
      socket.once('close', () => {
        this.#failAll(GONE);
        resolve();
      });
    });
    socket.on('message', (data) => this.#onFrame(data));
    // It is followed by `close`, and what is wrong with a dead page is of no interest.
    socket.on('error', () => {});
  }

  close(): void {
    this.#socket.terminate();
  }

  /** Starts the API in the page. @throws PageFailure */
  async start({ apiKey, model, onProgress }: StartRequest): Promise<void> {
    const started = new Promise<void>((resolve, reject) => {
      this.#onStartup = (message) => {
        if (message.type === 'progress') onProgress(message.progress);
        if (message.type === 'ready') resolve();
        if (message.type === 'failed') reject(new PageFailure(message.message, message.code));
      };
    });
    this.#send({ type: 'start', apiKey, ...(model !== undefined && { model }) });
    const gone = this.closed.then(() => Promise.reject(new Error('The page closed.')));
    await Promise.race([started, gone]);
  }

  /** Hands a request to the page. */
  open(request: Pick<BridgeRequest, 'method' | 'path' | 'headers'>, sink: AnswerSink): Exchange {
    const id = this.#nextId;
    this.#nextId = (id + 1) % 2 ** 32;
    this.#sinks.set(id, sink);
    this.#send({ type: 'request', id, ...request });
    if (this.#socket.readyState === this.#socket.CLOSED) this.#failAll(GONE);
    return {
      send: (bytes) => this.#sendBody(id, bytes),
      finish: () => this.#send({ type: 'request-end', id }),
      credit: (bytes) => this.#sinks.has(id) && this.#send({ type: 'credit', id, bytes }),
      abort: () => this.#sinks.delete(id) && this.#send({ type: 'abort', id }),
    };
  }

  #send(message: ToBridgePage): void {
    // To a socket that is closed it would be an error, but whoever waits learns it from `closed`.
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  async #sendBody(id: number, bytes: Uint8Array): Promise<void> {
    if (!this.#sinks.has(id)) return;
    const sent = new Promise<void>((resolve) =>
      this.#socket.send(encodeBodyFrame(id, bytes), () => resolve()),
    );
    if (this.#socket.bufferedAmount > MAX_BUFFERED_BYTES) await sent;
  }

  #onFrame(data: WebSocket.RawData): void {
    try {
      // As the socket is set up, text comes in a Buffer, and nothing else does.
      if (data instanceof Buffer) this.#onMessage(parseFromBridgePage(data.toString()));
      else if (data instanceof ArrayBuffer) this.#onBody(data);
    } catch {
      // A page that does not speak the protocol is as good as none.
      this.close();
    }
  }

  #onBody(data: ArrayBuffer): void {
    const { id, bytes } = decodeBodyFrame(new Uint8Array(data));
    this.#sinks.get(id)?.body(bytes);
  }

  #onMessage(message: FromBridgePage): void {
    switch (message.type) {
      case 'progress':
      case 'ready':
      case 'failed':
        return this.#onStartup(message);
      case 'response':
        return this.#sinks.get(message.id)?.head(message);
      case 'response-end':
        return this.#take(message.id)?.end();
      case 'response-error':
        return this.#take(message.id)?.fail(message.message);
    }
  }

  /** After this, nothing more is expected for the id. */
  #take(id: number): AnswerSink | undefined {
    const sink = this.#sinks.get(id);
    this.#sinks.delete(id);
    return sink;
  }

  #failAll(message: string): void {
    for (const id of [...this.#sinks.keys()]) this.#take(id)?.fail(message);
  }
}

/** The way to the page for one request. All of it is without effect when the answer has ended. */
export interface Exchange {
  /** A piece of the request's body; resolves when there is room for more. */
  send(bytes: Uint8Array): Promise<void>;
  /** The request is complete. */
  finish(): void;
  /** That many bytes of the answer were taken by the client. */
  credit(bytes: number): void;
  /** Nobody waits for the answer any more. */
  abort(): void;
}
