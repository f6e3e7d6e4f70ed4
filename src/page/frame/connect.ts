/**
 * The API that the page around a frame lends to it.
 *
 * @module slashv1/connect
 */
import { pageFetch } from '../api/page-fetch.ts';
import type { ConnectMessage, FromFrame, ToFrame } from './messages.ts';

/** An attempt to connect is repeated after this long, milliseconds: the parent may not have called `share` yet. */
const RETRY_MS = 200;

export interface ConnectOptions {
  /** Origin of the parent. Give it if prompts must not reach any other page that embeds the frame. Default: any. */
  origin?: string;
  /** How long the parent may take to call `share`, milliseconds. Default: 10,000. */
  timeoutMs?: number;
}

/** Options of API clients. */
export interface LentApi {
  readonly baseURL: string;
  /** Valid until the parent revokes it, or the frame ends. */
  readonly apiKey: string;
  /** `fetch`, except that the parent answers requests below `baseURL`. */
  readonly fetch: (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>;
}

/** Why the parent's API cannot be used. */
export class ConnectError extends Error {
  readonly code: 'no_parent' | 'no_answer' | 'disconnected';

  constructor(code: ConnectError['code'], message: string) {
    super(message);
    this.name = 'ConnectError';
    this.code = code;
  }
}

/**
 * Asks the page around this frame for its API, which that page lends with `v1.share(frame, origin)`.
 *
 * @param parent - `window.parent`
 * @throws ConnectError `no_parent` if this page is not in a frame, `no_answer` if the parent does not answer
 */
export async function connect(
  parent: Window,
  { origin = '*', timeoutMs = 10_000 }: ConnectOptions = {},
): Promise<LentApi> {
  // A server that renders the page has no window.
  if (typeof window === 'undefined' || parent === window) {
    throw new ConnectError('no_parent', 'This page is in no frame.');
  }
  const message: ConnectMessage = {
    type: 'slashv1:frame-connect',
    // Insecure pages have no randomUUID.
    nonce: crypto.getRandomValues(new Uint32Array(4)).join('-'),
    loadedAt: performance.timeOrigin,
  };
  return new Promise((resolve, reject) => {
    const ask = () => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = ({ data }: MessageEvent<ToFrame>) => {
        if (data.type !== 'ready') return;
        clearInterval(asking);
        clearTimeout(ending);
        resolve(lentApi(port1, data));
      };
      parent.postMessage(message, origin, [port2]);
    };
    const asking = setInterval(ask, RETRY_MS);
    const ending = setTimeout(() => {
      clearInterval(asking);
      const needed = `it calls v1.share(frame, '${window.origin}') for this frame`;
      reject(
        new ConnectError('no_answer', `The parent page does not answer. Make sure that ${needed}.`),
      );
    }, timeoutMs);
    ask();
  });
}

/** Gets the messages about one request. */
type Listener = (message: Exclude<ToFrame, { type: 'ready' }>) => void;

function lentApi(
  port: MessagePort,
  { baseURL, apiKey }: { baseURL: string; apiKey: string },
): LentApi {
  const listeners = new Map<number, Listener>();
  let isOpen = true;
  let count = 0;
  const post = (message: FromFrame, transfer: Transferable[] = []) =>
    port.postMessage(message, transfer);
  const end = () => {
    isOpen = false;
    for (const listener of listeners.values()) listener({ type: 'revoked' });
    listeners.clear();
    port.close();
  };
  port.onmessage = ({ data }: MessageEvent<ToFrame>) => {
    if (data.type === 'revoked') end();
    else if (data.type !== 'ready') listeners.get(data.id)?.(data);
  };
  // Not every browser has this event.
  port.addEventListener('close', end);
  addEventListener('pagehide', ({ persisted }: Event & { persisted?: boolean }) => {
    if (!persisted) post({ type: 'bye' });
  });

  const send = async (request: Request): Promise<Response> => {
    const { signal, url, method } = request;
    signal.throwIfAborted();
    const body = /^(GET|HEAD)$/.test(method) ? undefined : await request.arrayBuffer();
    signal.throwIfAborted();
    if (!isOpen) throw disconnected();
    const id = count++;
    return new Promise((resolve, reject) => {
      let controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>> | undefined;
      let pulled: (() => void) | undefined;
      const finish = () => {
        listeners.delete(id);
        signal.removeEventListener('abort', abort);
        pulled?.();
      };
      const fail = (error: unknown) => {
        finish();
        controller?.error(error);
        reject(error);
      };
      const abort = () => {
        post({ type: 'cancel', id });
        fail(signal.reason);
      };
      const source: UnderlyingDefaultSource<Uint8Array<ArrayBuffer>> = {
        start: (given) => void (controller = given),
        pull: () =>
          new Promise((done) => {
            pulled = done;
            post({ type: 'pull', id });
          }),
        cancel: () => {
          post({ type: 'cancel', id });
          finish();
        },
      };
      listeners.set(id, (message) => {
        switch (message.type) {
          case 'response': {
            const { status, headers, hasBody } = message;
            const stream = hasBody ? new ReadableStream(source, { highWaterMark: 0 }) : null;
            const response = new Response(stream, { status, headers });
            if (!hasBody) finish();
            resolve(Object.defineProperty(response, 'url', { value: url.split('#', 1)[0] }));
            break;
          }
          case 'chunk':
            controller?.enqueue(message.bytes);
            pulled?.();
            break;
          case 'end':
            controller?.close();
            finish();
            break;
          case 'failed':
            fail(new TypeError(message.message));
            break;
          case 'revoked':
            fail(disconnected());
            break;
        }
      });
      signal.addEventListener('abort', abort);
      const headers = [...request.headers];
      post({ type: 'request', id, url, method, headers, body }, body ? [body] : []);
    });
  };

  return {
    baseURL,
    apiKey,
    fetch: pageFetch(baseURL, () => Promise.resolve(send)),
  };
}

function disconnected(): ConnectError {
  return new ConnectError('disconnected', 'The parent page does not lend its API any more.');
}
