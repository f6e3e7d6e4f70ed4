import { readFileSync } from 'node:fs';
import makeModule from '../../../models/llamacpp/built/llamacpp.js';
import { Llama } from '../../../src/engine/llamacpp/llama.ts';
import { SyncBlob, SyncReader } from '../../support/sync-blob.ts';

const FILE = new URL('../../../models/packs/tiny-chat/tiny-chat-F32.gguf', import.meta.url);

export function readTinyChat(): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(readFileSync(FILE));
}

/** To llama.cpp's module, this is a worker then: only there it reads Blobs. */
export function standInForWorker(): void {
  Object.assign(globalThis, { FileReaderSync: SyncReader, importScripts: () => undefined });
}

/** tiny-chat in llama.cpp itself, in this process. */
export function openTinyChat(batchSize = 32): Promise<Llama> {
  return openLlama([{ name: 'tiny-chat.gguf', bytes: readTinyChat() }], batchSize);
}

export async function openLlama(
  parts: { name: string; bytes: Uint8Array<ArrayBuffer> }[],
  batchSize: number,
): Promise<Llama> {
  standInForWorker();
  const module = await makeModule({ print: () => undefined, printErr: () => undefined });
  const blobs = parts.map(({ name, bytes }) => ({ name, blob: new SyncBlob(bytes) }));
  return new Llama(module, blobs, batchSize);
}
