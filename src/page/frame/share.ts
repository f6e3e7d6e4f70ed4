import { createKey } from '../../core/keys/key-format.ts';
import type { SessionKeys } from '../../core/keys/session-keys.ts';
import type { Share, ShareOptions } from '../api/api.ts';
import { openSessionKey } from '../api/keys/session-key.ts';
import type { ConnectMessage, FromFrame, ToFrame } from './messages.ts';
import { messageOf } from '../../core/text/message-of.ts';

/** The page that lends its API. */
export interface LendingPage {
  baseURL: string;
  keys: SessionKeys;
  /** The API, as `fetch` for requests below the base URL. */
  answer: (request: Request) => Promise<Response>;
  /** Aborts when the page stops. */
  stopping: AbortSignal;
}

/**
 * Lends the API of this page to a frame, over ports that the frame sends. Nothing is posted to the frame's window, so
 * no other document in it can receive the key. A document that replaces the frame's must connect itself.
 */
export function share(
  page: LendingPage,
  frame: Window,
  origin: string,
  options: ShareOptions = {},
): Share {
  if (origin !== 'null' && !(URL.canParse(origin) && new URL(origin).origin === origin)) {
    throw new TypeError(
      `share() needs the origin of the frame, such as 'https://example.com', or 'null'; not '${origin}'.`,
    );
  }
  const revoking = new AbortController();
  const ending = AbortSignal.any([revoking.signal, page.stopping]);
  const connections = new Map<string, Connection>();
  let loadedAt: number | undefined;
  const end = async () => {
    const all = [...connections.values()];
    connections.clear();
    await Promise.all(all.map((connection) => connection.end()));
  };
  // If a key cannot be deleted, the next page that starts deletes it.
  const endAll = () => void end().catch(() => undefined);
  const onMessage = (event: MessageEvent<ConnectMessage | null>) => {
    const { source, data, ports } = event;
    if (source !== frame || event.origin !== origin || data?.type !== 'slashv1:frame-connect')
      return;
    const [port] = ports;
    // The frame repeats its message until it is answered.
    if (!port || connections.has(data.nonce)) return;
    // The frame has a new document.
    if (data.loadedAt !== loadedAt) endAll();
    ({ loadedAt } = data);
    connections.set(data.nonce, new Connection(page, port, options));
  };
  addEventListener('message', onMessage, { signal: ending });
  ending.addEventListener('abort', endAll);
  return {
    revoke: async () => {
      const ended = end();
      revoking.abort();
      await ended;
    },
  };
}

/** One call of `connect` in the frame, with a key of its own. */
class Connection {
  readonly #page: LendingPage;
  readonly #port: MessagePort;
  readonly #key: ReturnType<typeof openSessionKey>;
  readonly #ending = new AbortController();
  readonly #requests = new Map<number, AbortController>();
  readonly #bodies = new Map<number, ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>>();
  #ended: Promise<void> | undefined;

  constructor(page: LendingPage, port: MessagePort, { label = 'frame', models }: ShareOptions) {
    this.#page = page;
    this.#port = port;
    // The key ends with this page, even if the page crashes. Unlike the page's own key, it may not manage models.
    const rights = { label, manageModels: false, ...(models && { models: [...models] }) };
    this.#key = openSessionKey(page.keys, createKey(), rights);
    // A frame is not trusted: a message that cannot be read ends the connection.
    const end = () => this.end().catch(() => undefined);
    port.onmessage = ({ data }: MessageEvent<FromFrame>) => void this.#take(data).catch(end);
    // Not every browser has this event.
    port.addEventListener('close', () => void end());
    const { baseURL } = page;
    const ready = () => this.#post({ type: 'ready', baseURL, apiKey: this.#key.key });
    // Without storage, the page itself would not have started.
    this.#key.stored.then(ready, () => undefined);
  }

  /** Breaks the responses under way and revokes the key. */
  end(): Promise<void> {
    return (this.#ended ??= this.#end());
  }

  async #end(): Promise<void> {
    this.#post({ type: 'revoked' });
    this.#ending.abort();
    this.#port.close();
    await this.#key.end();
  }

  #post(message: ToFrame): void {
    this.#port.postMessage(message);
  }

  async #take(message: FromFrame): Promise<void> {
    switch (message.type) {
      case 'request':
        return this.#answer(message);
      case 'pull':
        return this.#send(message.id);
      case 'cancel':
        this.#requests.get(message.id)?.abort();
        return this.#forget(message.id);
      case 'bye':
        return this.end();
    }
  }

  async #answer({
    id,
    url,
    method,
    headers,
    body,
  }: FromFrame & { type: 'request' }): Promise<void> {
    const aborting = new AbortController();
    this.#requests.set(id, aborting);
    const signal = AbortSignal.any([aborting.signal, this.#ending.signal]);
    try {
      const request = new Request(url, {
        method,
        headers,
        signal,
        ...(body?.byteLength && { body }),
      });
      // The frame only has the rights of its own key, whatever key it sends.
      request.headers.delete('x-api-key');
      request.headers.set('authorization', `Bearer ${this.#key.key}`);
      const response = await this.#page.answer(request);
      const reader = response.body?.getReader();
      if (reader) this.#bodies.set(id, reader);
      const { status } = response;
      this.#post({
        type: 'response',
        id,
        status,
        headers: [...response.headers],
        hasBody: reader !== undefined,
      });
      if (!reader) this.#forget(id);
    } catch (error) {
      this.#fail(id, error);
    }
  }

  /** Sends one chunk of a body, so that nothing piles up between the two pages. */
  async #send(id: number): Promise<void> {
    try {
      const chunk = await this.#bodies.get(id)?.read();
      if (!chunk) return;
      if (!chunk.done) return this.#post({ type: 'chunk', id, bytes: chunk.value });
      this.#post({ type: 'end', id });
      this.#forget(id);
    } catch (error) {
      this.#fail(id, error);
    }
  }

  #fail(id: number, error: unknown): void {
    this.#post({ type: 'failed', id, message: messageOf(error) });
    this.#forget(id);
  }

  #forget(id: number): void {
    this.#requests.delete(id);
    this.#bodies.delete(id);
  }
}
