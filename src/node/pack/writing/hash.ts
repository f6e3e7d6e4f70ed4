import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';

import type { ByteSource } from '../sources/byte-source.ts';

/** Bytes that are read at once. */
const CHUNK = 16 * 1024 * 1024;

/** The hash in hex. */
export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** The hash in hex, of all bytes of the source. */
export function sha256OfSource(source: ByteSource): string {
  const { size } = source;
  const hash = createHash('sha256');
  for (let at = 0; at < size; at += CHUNK) {
    hash.update(source.read(at, Math.min(CHUNK, size - at)));
  }
  return hash.digest('hex');
}

/** The hash in hex. */
export async function sha256OfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
