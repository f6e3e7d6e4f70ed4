import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { PackFile, PackManifest } from '../../core/catalog-entry.ts';
import { QUANTIZATION } from './chat-config.ts';
import type { LlamaShape } from './checkpoint.ts';
import type { ModelOptions } from './model-options.ts';

export const MANIFEST = 'manifest.json';
/** The model library's path in the pack. */
export const MODEL_LIBRARY = 'model.wasm';

/** Tokens in a page of TVM's KV cache; one page more than the context is allocated. */
const KV_PAGE = 16;
const F32_BYTES = 4;

/** Writes the manifest of all other files in the folder. */
export function writeManifest(
  folder: string,
  options: ModelOptions,
  gpuBytes: number,
): PackManifest {
  const files = listFiles(folder);
  const manifest: PackManifest = {
    format: 'slashv1-pack',
    version: 1,
    id: options.id,
    revision: revisionOf(files),
    ownedBy: options.ownedBy,
    created: options.created,
    license: options.license,
    quantization: QUANTIZATION,
    contextLength: options.contextLength,
    modelLibrary: MODEL_LIBRARY,
    gpuBytes,
    files,
  };
  writeFileSync(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
  return manifest;
}

/** GPU memory of a loaded model, bytes: the weights, and f32 keys and values for a full context. */
export function gpuBytesOf(weights: number, shape: LlamaShape, contextLength: number): number {
  const perToken = 2 * shape.layers * shape.kvHeads * shape.headDim * F32_BYTES;
  return weights + (Math.ceil(contextLength / KV_PAGE) + 1) * KV_PAGE * perToken;
}

function listFiles(folder: string): PackFile[] {
  const names = readdirSync(folder).filter((name) => name !== MANIFEST);
  return names.sort().map((path) => {
    const bytes = readFileSync(join(folder, path));
    return { path, size: bytes.length, sha256: sha256(bytes) };
  });
}

/** Changes with any byte of any file. */
function revisionOf(files: PackFile[]): string {
  return sha256(files.map(({ path, size, sha256 }) => `${sha256} ${size} ${path}\n`).join(''));
}

export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
