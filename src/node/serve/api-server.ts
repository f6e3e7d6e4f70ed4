import { createServer as createHttp1 } from 'node:http';
import { createServer as createHttp2 } from 'node:http2';
import { Server, type Socket } from 'node:net';
import type { ApiListener } from './bridge/http-messages.ts';

/** The first bytes from a client that knows that the server speaks HTTP/2: RFC 9113 §3.3. */
const HTTP2_PREFACE = 'PRI * HTTP/2.0\r\n';

/** A server of HTTP/1.1 and of HTTP/2 at one port, without encryption. */
export class ApiServer extends Server {
  readonly #http1;
  readonly #http2;
  readonly #sockets = new Set<Socket>();

  constructor(listener: ApiListener) {
    super();
    this.#http1 = createHttp1(listener);
    this.#http2 = createHttp2((request, response) => listener(request, response));
    // Clients are on this computer: they may send slowly and reuse their connections.
    this.#http1.requestTimeout = 0;
    this.#http1.keepAliveTimeout = 60_000;
    this.on('connection', (socket) => this.#receive(socket));
  }

  closeAllConnections(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #receive(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    // A client that disconnects is not a failure: `close` follows.
    socket.on('error', () => undefined);
    socket.once('data', (first: Buffer) => {
      socket.pause();
      socket.unshift(first);
      const isHttp2 = first.toString('latin1', 0, HTTP2_PREFACE.length) === HTTP2_PREFACE;
      (isHttp2 ? this.#http2 : this.#http1).emit('connection', socket);
      if (!isHttp2) socket.resume();
    });
  }
}
