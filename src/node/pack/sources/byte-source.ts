import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

import { PackError, systemErrorCode } from '../pack-error.ts';

/** Random access to the bytes of a file, so that checkpoints larger than memory can be read. */
export interface ByteSource {
  /** For error messages. */
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** A copy with its own buffer, so that it can be viewed as any element type. */
  read(offset: number, length: number): Uint8Array<ArrayBuffer>;
  close(): void;
}

/** @throws PackError if the file cannot be opened */
export function openByteSource(path: string): ByteSource {
  const descriptor = open(path);
  const { size } = fstatSync(descriptor);
  return {
    name: path,
    size,
    read(offset, length) {
      requireRange(path, size, offset, length);
      const bytes = new Uint8Array(length);
      readFully(descriptor, bytes, offset, path);
      return bytes;
    },
    close: () => closeSync(descriptor),
  };
}

/** Bytes already in memory. */
export function memorySource(name: string, bytes: Uint8Array): ByteSource {
  return {
    name,
    size: bytes.length,
    read(offset, length) {
      requireRange(name, bytes.length, offset, length);
      return new Uint8Array(bytes.subarray(offset, offset + length));
    },
    close: () => {},
  };
}

function open(path: string): number {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') throw new PackError(`There is no file ${path}.`);
    throw error;
  }
}

function readFully(descriptor: number, bytes: Uint8Array, offset: number, path: string): void {
  // On Linux, one read returns at most 2 GiB.
  for (let done = 0; done < bytes.length;) {
    const count = readSync(descriptor, bytes, done, bytes.length - done, offset + done);
    if (count === 0) throw truncated(path, offset + done);
    done += count;
  }
}

function requireRange(name: string, size: number, offset: number, length: number): void {
  if (offset + length > size) throw truncated(name, offset + length);
}

function truncated(name: string, wanted: number): PackError {
  return new PackError(`${name} is truncated: it should have at least ${wanted} bytes.`);
}
