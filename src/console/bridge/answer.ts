import {
  BRIDGE_WINDOW_BYTES,
  encodeBodyFrame,
  type BridgeRequest,
  type FromBridgePage,
} from '../../core/realms/bridge-messages.ts';
import { messageOf } from '../../core/text/message-of.ts';

/** Sends messages and pieces of bodies to the bridge. */
export interface Sender {
  send(message: FromBridgePage): void;
  sendBody(frame: Uint8Array<ArrayBuffer>): void;
}

/** Answers one request of a client of the bridge, with this page's `fetch`. */
export class Answer {
  readonly #request: BridgeRequest;
  readonly #sender: Sender;
  readonly #stopping = new AbortController();
  readonly #body: Uint8Array<ArrayBuffer>[] = [];
  /** Bytes that were sent and that the client has not taken yet. */
  #outstanding = 0;
  #resume = () => {};

  constructor(request: BridgeRequest, sender: Sender) {
    this.#request = request;
    this.#sender = sender;
  }

  addBody(bytes: Uint8Array<ArrayBuffer>): void {
    this.#body.push(bytes);
  }

  /** The client has taken this many more bytes. */
  credit(bytes: number): void {
    this.#outstanding -= bytes;
    this.#resume();
  }

  /** The client has disconnected: aborts the fetch, which ends the service worker's work for it. */
  abort(): void {
    this.#stopping.abort();
    this.#resume();
  }

  /** Fetches, and sends the answer until it is complete, has failed or is aborted. */
  async run(baseURL: string): Promise<void> {
    const { id } = this.#request;
    try {
      const response = await this.#fetch(baseURL);
      this.#sender.send({
        type: 'response',
        id,
        status: response.status,
        headers: answerHeaders(response.headers),
      });
      if (response.body) await this.#sendBody(response.body);
      this.#sender.send({ type: 'response-end', id });
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      const message = messageOf(error);
      this.#sender.send({ type: 'response-error', id, message });
    }
  }

  #fetch(baseURL: string): Promise<Response> {
    const { method, path, headers } = this.#request;
    const mayHaveBody = method !== 'GET' && method !== 'HEAD';
    return fetch(baseURL + path, {
      method,
      headers,
      signal: this.#stopping.signal,
      ...(mayHaveBody && this.#body.length > 0 && { body: new Blob(this.#body) }),
    });
  }

  async #sendBody(body: ReadableStream<Uint8Array>): Promise<void> {
    const reader = body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      this.#sender.sendBody(encodeBodyFrame(this.#request.id, value));
      this.#outstanding += value.length;
      while (this.#outstanding >= BRIDGE_WINDOW_BYTES) await this.#moreCredit();
    }
  }

  async #moreCredit(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#resume = resolve;
    });
    this.#stopping.signal.throwIfAborted();
  }
}

/** `fetch` has already decoded the body, so headers about its encoding do not apply to it. */
function answerHeaders(headers: Headers): [string, string][] {
  const decoded = headers.has('content-encoding');
  return [...headers].filter(
    ([name]) => !decoded || (name !== 'content-encoding' && name !== 'content-length'),
  );
}
