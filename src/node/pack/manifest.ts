import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import type { PackFile, PackManifest } from '../../core/stores/catalog-entry.ts';
import { sha256 } from './hash.ts';
import type { ModelLibrary } from './model-library.ts';
import type { ModelOptions } from './model-options.ts';
import { QUANTIZATION } from './parameters.ts';

export const MANIFEST = 'manifest.json';
/** The model library's path in the pack. */
export const MODEL_LIBRARY = 'model.wasm';

/** Tokens in a page of TVM's KV cache. TVM allocates one page more than the context needs. */
const KV_PAGE = 16;
const F32_BYTES = 4;

/** What the manifest says besides the list of files. */
export interface ManifestFacts {
  options: ModelOptions;
  library: ModelLibrary;
  weightBytes: number;
  /** As the API's `supported_features` names them. */
  features: string[];
}

/** Writes the manifest of a chat model. It lists all other files in the folder. */
export function writeManifest(
  folder: string,
  { options, library, weightBytes, features }: ManifestFacts,
): PackManifest {
  return describeFolder(folder, {
    id: options.id,
    ownedBy: options.ownedBy,
    created: options.created,
    license: options.license,
    quantization: QUANTIZATION,
    contextLength: library.contextLength,
    features,
    modelLibrary: MODEL_LIBRARY,
    gpuBytes: weightBytes + kvCacheBytes(library),
  });
}

/** Writes the manifest of a folder that contains only a pack's files, at any depth. */
export function describeFolder(
  folder: string,
  facts: Omit<PackManifest, 'format' | 'version' | 'revision' | 'files'>,
): PackManifest {
  const files = listFiles(folder);
  const { id, ...others } = facts;
  const revision = revisionOf(files);
  const manifest: PackManifest = {
    ...{ format: 'slashv1-pack', version: 1, id, revision, ...others, files },
  };
  writeFileSync(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
  return manifest;
}

/** F32 keys and values for a full context. */
function kvCacheBytes({ shape, contextLength }: ModelLibrary): number {
  const perToken = 2 * shape.layers * shape.kvHeads * shape.headDim * F32_BYTES;
  return (Math.ceil(contextLength / KV_PAGE) + 1) * KV_PAGE * perToken;
}

function listFiles(folder: string): PackFile[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter((path) => path !== MANIFEST);
  return paths.toSorted().map((path) => {
    const bytes = readFileSync(join(folder, path));
    return { path, size: bytes.length, sha256: sha256(bytes) };
  });
}

/** Changes when any byte of any file changes. */
function revisionOf(files: PackFile[]): string {
  return sha256(files.map((file) => `${file.sha256} ${file.size} ${file.path}\n`).join(''));
}
