import { readFileSync } from 'node:fs';
import makeModule from '../../../../models/llamacpp/built/llamacpp.js';
import { Llama } from '../../../../src/engine/llamacpp/worker/llama.ts';
import { ModelFiles } from '../../../../src/engine/llamacpp/model-files.ts';

const FILE = new URL('../../../../models/packs/tiny-chat/tiny-chat-F32.gguf', import.meta.url);

export function readTinyChat(): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(readFileSync(FILE));
}

/** tiny-chat in llama.cpp itself, in this process. */
export function openTinyChat(batchSize = 32): Promise<Llama> {
  return openLlama([{ name: 'tiny-chat.gguf', bytes: readTinyChat() }], batchSize);
}

export async function openLlama(
  parts: { name: string; bytes: Uint8Array<ArrayBuffer> }[],
  batchSize: number,
): Promise<Llama> {
  const module = await makeModule({ print: () => undefined, printErr: () => undefined });
  const blobs = parts.map(({ name, bytes }) => ({ name, ...sized(bytes) }));
  const files = new ModelFiles(module, blobs, () => undefined);
  await files.whole();
  return new Llama(module, files.paths, batchSize);
}

/** The size and the Blob of a part with this content. */
export function sized(bytes: Uint8Array<ArrayBuffer>): { size: number; blob: Blob } {
  return { size: bytes.length, blob: new Blob([bytes]) };
}
