import type { IncomingHttpHeaders } from 'node:http2';

/** A request over HTTP/1 or HTTP/2, as far as the bridge reads it. */
export interface ApiRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly httpVersion: string;
  readonly headers: IncomingHttpHeaders;
  /** Alternating names and values; over HTTP/2, the first ones have names with a colon. */
  readonly rawHeaders: string[];
  readonly socket: { readonly localPort?: number | undefined };
  iterator(options: { destroyOnReturn: boolean }): AsyncIterable<Buffer>;
}

/** The response to it. */
export interface ApiResponse {
  readonly headersSent: boolean;
  readonly req: { readonly httpVersion: string };
  readonly socket: { resetAndDestroy(): unknown } | null;
  setHeader(name: string, value: string): unknown;
  writeHead(status: number, headers?: string[]): unknown;
  /** Node's types lack it for HTTP/2. */
  flushHeaders?(): void;
  write(bytes: Uint8Array, sent: () => void): unknown;
  end(text: string): unknown;
  destroy(): unknown;
  on(event: 'error', listener: () => void): unknown;
  once(event: 'close', listener: () => void): unknown;
}

export type ApiListener = (request: ApiRequest, response: ApiResponse) => void;
