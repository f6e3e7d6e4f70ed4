import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  createSecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import * as v from 'valibot';

/** Events of a stream, and the milliseconds between two of them. */
export const EVENTS = 40;
const GAP_MS = 250;
/** Servers often allow 100 on one connection, and browsers then wait. */
const MANY_STREAMS = { maxConcurrentStreams: 1_000 };
const PIECE = Buffer.alloc(65_536, 'x');

export const MODEL = 'soak/upstream';

/** `endless`: the answer has no end and is sent as fast as it is read. */
const bodySchema = v.object({ seed: v.number(), endless: v.optional(v.boolean(), false) });

export interface Http2Upstream {
  baseURL: string;
  /** Bytes of endless answers. */
  sentBytes: number;
  /** Streams that are open now, and the most that ever were. */
  open: number;
  most: number;
  close(): Promise<void>;
}

/**
 * An upstream with HTTP/2, because browsers open only six connections to a server with HTTP/1.1. Its certificate is
 * self-signed, so the browser must run with `--ignore-certificate-errors`. Needs openssl.
 *
 * @param atOnce - how many streams must be open before the first event is sent
 */
export async function openHttp2Upstream(atOnce = 1): Promise<Http2Upstream> {
  const pem = certificate();
  const server = createSecureServer(
    { key: pem, cert: pem, settings: MANY_STREAMS },
    (request, response) =>
      // A client may leave at any time.
      void serve(request, response).catch(() => undefined),
  );
  const sessions = new Set<ServerHttp2Session>();
  server.on('session', (session) => void sessions.add(session));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const areOpen = Promise.withResolvers<void>();
  const upstream: Http2Upstream = {
    baseURL: `https://127.0.0.1:${port}/v1`,
    sentBytes: 0,
    open: 0,
    most: 0,
    close: async () => {
      for (const session of sessions) session.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  async function serve(request: Http2ServerRequest, response: Http2ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-allow-headers', 'authorization, content-type');
    response.setHeader('access-control-max-age', '600');
    if (request.method === 'OPTIONS') return void response.writeHead(204).end();
    if (request.url === '/v1/models') return void response.end(`{"data":[{"id":"${MODEL}"}]}`);
    const { seed, endless } = v.parse(bodySchema, JSON.parse(Buffer.concat(parts).toString()));
    if (endless) return sendEndlessly(response);
    upstream.most = Math.max(upstream.most, ++upstream.open);
    response.on('close', () => upstream.open--);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    if (upstream.open >= atOnce) areOpen.resolve();
    await areOpen.promise;
    for (let event = 0; event < EVENTS; event++) {
      const choices = [{ index: 0, delta: { content: `${seed}.${event} ` } }];
      response.write(`data: ${JSON.stringify({ choices })}\n\n`);
      await pause(GAP_MS);
    }
    response.end('data: [DONE]\n\n');
  }

  async function sendEndlessly(response: Http2ServerResponse): Promise<void> {
    const closed = once(response, 'close');
    response.writeHead(200, { 'content-type': 'application/octet-stream' });
    while (!response.destroyed && !response.writableEnded) {
      upstream.sentBytes += PIECE.length;
      if (!response.write(PIECE)) await Promise.race([once(response, 'drain'), closed]);
      if (response.stream?.destroyed ?? true) return;
    }
  }
  return upstream;
}

/** A new private key and its certificate. */
function certificate(): string {
  const args = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  const output = ['-subj', '/CN=127.0.0.1', '-days', '1', '-keyout', '-', '-out', '-'];
  return execFileSync('openssl', [...args, ...output], { encoding: 'utf8', stdio: 'pipe' });
}
