import { statSync } from 'node:fs';

import { readGgufModel, type GgufModel } from '../formats/gguf-model.ts';
import { readModelLibrary } from '../model-library.ts';
import { openCheckpoint } from '../formats/open-checkpoint.ts';
import { PackError } from '../pack-error.ts';
import type { WebLlmSource } from '../writing/webllm-variant.ts';

/** The sources of a pack, by the engine that runs it; at least one. */
export type PackSources =
  { webllm: WebLlmSource; llamacpp?: GgufModel } | { webllm?: never; llamacpp: GgufModel };

export interface PackPaths {
  /** A GGUF file, or the folder of a model from the hub. */
  checkpoint: string;
  /** GGUF file for llama.cpp; default: the checkpoint, if it is one. */
  gguf?: string;
  /** Model library; without it, there is no variant for WebLLM. */
  library?: string;
}

/**
 * Opens the sources of a pack, and closes them after use.
 *
 * @throws GgufError or PackError if a file is missing or damaged, or the model is not supported
 */
export async function withPackSources<T>(
  { checkpoint: path, library, gguf = defaultGguf(path) }: PackPaths,
  use: (sources: PackSources) => T,
): Promise<T> {
  const llamacpp = gguf === undefined ? undefined : await readGgufModel(gguf);
  if (library === undefined) {
    if (llamacpp) return use({ llamacpp });
    throw new PackError(`${path} cannot be packed for any engine: name a model library or a GGUF.`);
  }
  const checkpoint = await openCheckpoint(path);
  try {
    if (llamacpp) requireSameVocabulary(checkpoint.shape.vocab, llamacpp);
    const webllm = { checkpoint, library: readModelLibrary(library) };
    return use({ webllm, ...(llamacpp && { llamacpp }) });
  } finally {
    checkpoint.close();
  }
}

function defaultGguf(checkpoint: string): string | undefined {
  const stats = statSync(checkpoint, { throwIfNoEntry: false });
  if (!stats) throw new PackError(`There is no file or folder ${checkpoint}.`);
  return stats.isDirectory() ? undefined : checkpoint;
}

/** Catches a GGUF file of another model by the size of its vocabulary. */
function requireSameVocabulary(expected: number, { vocabulary, parts }: GgufModel): void {
  if (vocabulary === expected) return;
  throw new PackError(
    `${parts[0]?.name} is of another model: its vocabulary has ${vocabulary} tokens instead of ${expected}.`,
  );
}
