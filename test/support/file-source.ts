import { createCipheriv } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** A file as a server has it, and what may go wrong on the way. */
export interface FileSource {
  bytes: Buffer;
  etag?: string;
  lastModified?: string;
  /** False: a server that sends all of a file whatever is asked for. */
  ranges?: boolean;
  /** Offsets in the file, rising: the connection that sends the byte before one breaks, once for each. */
  cuts?: number[];
  /** Before a cut: when what was sent has arrived, for what is on its way is lost with a connection. */
  beforeCut?: (offset: number) => Promise<void>;
  /** Offset at which each answer that goes beyond it waits until this resolves. */
  hold?: { at: number; until: Promise<void> };
}

/** What was asked for and what it cost. */
export interface Traffic {
  requests: { range: string | undefined; ifRange: string | undefined }[];
  /** Bytes of bodies. */
  sent: number;
}

export function noTraffic(): Traffic {
  return { requests: [], sent: 0 };
}

/** Answers as static hosts do: 200 with everything, or 206 with the part from where it is asked for. */
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
  const asked = (source.ranges ?? true) && isFresh ? /^bytes=(\d+)-$/.exec(range ?? '') : null;
  const start = Number(asked?.[1] ?? 0);
  if (etag !== undefined) response.setHeader('etag', etag);
  if (lastModified !== undefined) response.setHeader('last-modified', lastModified);
  if (asked && start >= bytes.length) {
    response.writeHead(416, { 'content-range': `bytes */${bytes.length}` }).end();
    return;
  }
  if (asked) {
    response.setHeader('content-range', `bytes ${start}-${bytes.length - 1}/${bytes.length}`);
  }
  response.writeHead(asked ? 206 : 200, { 'content-length': bytes.length - start });
  if (request.method === 'HEAD') response.end();
  else await sendFrom(start, source, traffic, response);
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
  // Once: the source's own list, which its copies share.
  cuts.splice(cuts.indexOf(cut), 1);
  await source.beforeCut?.(cut);
  // What was sent before the end arrives; destroyed at once, some of it would not.
  response.socket?.end();
}

/** In pieces, so that what a client has hung up on is not counted. */
async function write(response: ServerResponse, bytes: Buffer, traffic: Traffic): Promise<void> {
  const piece = 64 * 1024;
  for (let at = 0; at < bytes.length && !response.destroyed; at += piece) {
    const part = bytes.subarray(at, at + piece);
    await new Promise((resolve) => response.write(part, resolve));
    traffic.sent += part.length;
  }
}

/** Numbers from 0 up to, and not including, 1: the same for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** That many different offsets inside a file, rising. */
export function randomOffsets(count: number, size: number, seed: number): number[] {
  const random = seededRandom(seed);
  const offsets = new Set<number>();
  while (offsets.size < count) offsets.add(1 + Math.floor(random() * (size - 1)));
  return [...offsets].sort((a, b) => a - b);
}

/** Bytes that no compression and no coincidence makes equal; hundreds of megabytes in a second. */
export function randomBytes(size: number, seed: number): Buffer {
  const key = Buffer.alloc(16, seed);
  return createCipheriv('aes-128-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(size));
}
