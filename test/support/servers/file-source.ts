import { createCipheriv } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { seededRandom } from '../../../scripts/seeded-random.ts';

/** A file on a server, and what goes wrong when it is sent. */
export interface FileSource {
  bytes: Buffer;
  etag?: string;
  lastModified?: string;
  /** False: the server ignores Range headers and sends the whole file. */
  ranges?: boolean;
  /** Ascending offsets. At each of them a connection breaks, once. */
  cuts?: number[];
  /** Called before a cut. It resolves when what was sent has arrived, since a cut loses data in transit. */
  beforeCut?: (offset: number) => Promise<void>;
  /** Each response that reaches the offset `at` waits there for `until`. */
  hold?: { at: number; until: Promise<void> };
}

/** The requests to a server, and what it sent. */
export interface Traffic {
  requests: { range: string | undefined; ifRange: string | undefined }[];
  /** Bytes of bodies. */
  sent: number;
}

export function noTraffic(): Traffic {
  return { requests: [], sent: 0 };
}

/** Answers like a static host: 200 with the whole file, or 206 with the part that a Range header names. */
export async function sendFile(
  source: FileSource,
  traffic: Traffic,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { bytes, etag, lastModified } = source;
  const { range, 'if-range': condition } = request.headers;
  const ifRange = typeof condition === 'string' ? condition : undefined;
  traffic.requests.push({ range, ifRange });
  const isFresh = ifRange === undefined || ifRange === etag || ifRange === lastModified;
  const asked = (source.ranges ?? true) && isFresh ? /^bytes=(\d+)-(\d*)$/.exec(range ?? '') : null;
  const start = Number(asked?.[1] ?? 0);
  const end = asked?.[2] ? Math.min(Number(asked[2]) + 1, bytes.length) : bytes.length;
  if (etag !== undefined) response.setHeader('etag', etag);
  if (lastModified !== undefined) response.setHeader('last-modified', lastModified);
  if (asked && start >= bytes.length) {
    response.writeHead(416, { 'content-range': `bytes */${bytes.length}` }).end();
    return;
  }
  if (asked) {
    response.setHeader('content-range', `bytes ${start}-${end - 1}/${bytes.length}`);
  }
  response.writeHead(asked ? 206 : 200, { 'content-length': end - start });
  if (request.method === 'HEAD') response.end();
  else await sendFrom(start, { ...source, bytes: bytes.subarray(0, end) }, traffic, response);
}

async function sendFrom(
  start: number,
  source: FileSource,
  traffic: Traffic,
  response: ServerResponse,
): Promise<void> {
  const { bytes, cuts = [], hold } = source;
  const cut = cuts.find((offset) => offset > start);
  const end = cut ?? bytes.length;
  if (hold && start <= hold.at && hold.at < end) {
    await write(response, bytes.subarray(start, hold.at), traffic);
    await hold.until;
    start = hold.at;
  }
  await write(response, bytes.subarray(start, end), traffic);
  if (cut === undefined) return void response.end();
  // Each cut happens once: copies of the source share this list.
  cuts.splice(cuts.indexOf(cut), 1);
  await source.beforeCut?.(cut);
  // `end` lets what was sent arrive. `destroy` would lose some of it.
  response.socket?.end();
}

/** Writes in pieces, so that bytes after a client's disconnect are not counted. */
async function write(response: ServerResponse, bytes: Buffer, traffic: Traffic): Promise<void> {
  const piece = 64 * 1024;
  for (let at = 0; at < bytes.length && !response.destroyed; at += piece) {
    const part = bytes.subarray(at, at + piece);
    await new Promise((resolve) => response.write(part, resolve));
    traffic.sent += part.length;
  }
}

/** Different offsets inside a file, in ascending order. */
export function randomOffsets(count: number, size: number, seed: number): number[] {
  const random = seededRandom(seed);
  const offsets = new Set<number>();
  while (offsets.size < count) offsets.add(1 + Math.floor(random() * (size - 1)));
  return [...offsets].sort((a, b) => a - b);
}

/** Incompressible bytes that depend only on the seed. Makes hundreds of megabytes a second. */
export function randomBytes(size: number, seed: number): Buffer {
  const key = Buffer.alloc(16, seed);
  return createCipheriv('aes-128-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(size));
}
