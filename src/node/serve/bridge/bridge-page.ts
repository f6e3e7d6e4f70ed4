import type { WebSocket } from 'ws';
import {
  decodeBodyFrame,
  encodeBodyFrame,
  parseFromBridgePage,
  type BridgedOptions,
  type BridgeRequest,
  type BridgeResponse,
  type FromBridgePage,
  type ToBridgePage,
  type WatchedRequest,
} from '../../../core/realms/bridge-messages.ts';
import type { Progress } from '../../../core/operations/events/events.ts';

/** Receives the answer to one request: the head, pieces of the body, then the end. It may fail at any time. */
export interface AnswerSink {
  head(response: BridgeResponse): void;
  body(bytes: Uint8Array): void;
  end(): void;
  /** The answer could not be made, or broke off. */
  fail(message: string): void;
}

export interface StartRequest {
  apiKey: string;
  /** Models that are installed before the page is ready; the first one is also loaded. */
  models?: readonly string[];
  options?: BridgedOptions;
  onProgress: (progress: Progress) => void;
  /** Called with every request to the page's API that has ended; undefined: none is reported. */
  onRequest?: ((request: WatchedRequest) => void) | undefined;
}

/** The page cannot start, and restarting it would not help. */
export class PageFailure extends Error {
  /** The code of a StartError. */
  readonly code: string | undefined;

  constructor(message: string, code?: string) {
    super(message);
    this.code = code;
  }
}

const GONE = 'The page that runs the engine has closed.';
/** Sending waits while the WebSocket has more unsent bytes than this. */
const MAX_BUFFERED_BYTES = 1024 * 1024;

/** The page that answers requests, at the other end of a WebSocket. */
export class BridgePage {
  /** Resolves when the page has closed. */
  readonly closed: Promise<void>;
  readonly #socket: WebSocket;
  readonly #sinks = new Map<number, AnswerSink>();
  #nextId = 0;
  #onStartup: (message: FromBridgePage) => void = () => {};
  #onRequest: StartRequest['onRequest'];

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
    // `close` follows and is handled. Nothing needs the reason.
    socket.on('error', () => {});
  }

  close(): void {
    this.#socket.terminate();
  }

  /** Starts the API in the page. @throws PageFailure */
  async start({
    apiKey,
    models: [model, ...others] = [],
    options = {},
    onProgress,
    onRequest,
  }: StartRequest): Promise<void> {
    this.#onRequest = onRequest;
    const started = new Promise<void>((resolve, reject) => {
      this.#onStartup = (message) => {
        if (message.type === 'progress') onProgress(message.progress);
        if (message.type === 'ready') resolve();
        if (message.type === 'failed') reject(new PageFailure(message.message, message.code));
      };
    });
    this.#send({
      type: 'start',
      apiKey,
      ...(model !== undefined && { model }),
      ...(others.length > 0 && { others }),
      ...(onRequest && { reportsRequests: true }),
      options,
    });
    const gone = this.closed.then(() => Promise.reject(new Error('The page closed.')));
    await Promise.race([started, gone]);
  }

  /** Sends a request to the page. */
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
    // Sending on a closed socket is an error. `closed` tells everyone who waits for an answer.
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
      // With this `binaryType`, text frames arrive as Buffer, and binary frames as ArrayBuffer.
      if (data instanceof Buffer) this.#onMessage(parseFromBridgePage(data.toString()));
      else if (data instanceof ArrayBuffer) this.#onBody(data);
    } catch {
      // A page that breaks the protocol cannot be used.
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
      case 'watched':
        return this.#onRequest?.(message.request);
      case 'response':
        return this.#sinks.get(message.id)?.head(message);
      case 'response-end':
        return this.#take(message.id)?.end();
      case 'response-error':
        return this.#take(message.id)?.fail(message.message);
    }
  }

  /** Removes and returns the sink: no further message is expected for this id. */
  #take(id: number): AnswerSink | undefined {
    const sink = this.#sinks.get(id);
    this.#sinks.delete(id);
    return sink;
  }

  #failAll(message: string): void {
    for (const id of [...this.#sinks.keys()]) this.#take(id)?.fail(message);
  }
}

/** One request on its way to the page. After the answer has ended, the methods do nothing. */
export interface Exchange {
  /** Sends a piece of the request's body. Resolves when there is room for more. */
  send(bytes: Uint8Array): Promise<void>;
  /** The request is complete. */
  finish(): void;
  /** The client has taken this many bytes of the answer. */
  credit(bytes: number): void;
  /** The answer is no longer wanted. */
  abort(): void;
}
