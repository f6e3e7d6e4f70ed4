import { existsSync } from 'node:fs';

import * as v from 'valibot';

import { optionalField, readGgufHeader, type GgufHeader } from '../../core/gguf/gguf-header.ts';
import { ggufMemory } from '../../core/gguf/gguf-memory.ts';
import type { GgufMemory } from '../../core/gguf/memory-of-context.ts';
import { quantizationOf } from '../../core/gguf/gguf-quantization.ts';
import { splitParts } from '../../core/gguf/gguf-split.ts';
import { requireSupported, requireWhole } from '../../core/gguf/gguf-support.ts';
import { templateFeatures } from '../../core/stores/template-features.ts';
import { openByteSource } from './byte-source.ts';
import { PackError } from './pack-error.ts';

/** A model for llama.cpp, which is packed as it is. */
export interface GgufModel {
  /** Paths of the file, or of all parts of a split file in order. */
  parts: string[];
  /** E.g. `Q4_K_M`. */
  quantization: string;
  memory: GgufMemory;
  /** Tokens. */
  contextLength: number;
  /** Tokens in the vocabulary. */
  vocabulary: number;
  /** As in the manifest. */
  features: string[];
  /** What the file says of its origin. */
  origin: GgufOrigin;
}

/** What the makers of GGUF files may write into them: names as people read them. */
export interface GgufOrigin {
  name: string | undefined;
  organization: string | undefined;
  /** SPDX identifier, usually. */
  license: string | undefined;
}

/**
 * Reads the headers of a GGUF model.
 *
 * @param path - of the file, or of any part of a split file
 * @throws GgufError if a file is damaged, or our build of llama.cpp cannot run the model
 * @throws PackError if a file is missing
 */
export async function readGgufModel(path: string): Promise<GgufModel> {
  const [first, ...others] = splitParts(path);
  if (first === undefined) throw new PackError(`There is no file ${path}.`);
  const header = await readPart(first);
  const headers: [GgufHeader, ...GgufHeader[]] = [header];
  for (const part of others) headers.push(await readPart(part));
  const { contextLength, license, name } = requireSupported(headers);
  const text = (key: string) => optionalField(header, key, v.string());
  const tokens = optionalField(header, 'tokenizer.ggml.tokens', v.array(v.string()));
  return {
    ...{ parts: [first, ...others], quantization: quantizationOf(header), contextLength },
    ...{ memory: ggufMemory(headers), vocabulary: tokens?.length ?? 0 },
    features: templateFeatures(text('tokenizer.chat_template')),
    origin: { name, license, organization: text('general.organization') },
  };
}

async function readPart(path: string): Promise<GgufHeader> {
  if (!existsSync(path)) throw new PackError(`There is no file ${path}.`);
  const source = openByteSource(path);
  try {
    const header = await readGgufHeader(source);
    requireWhole(header, source.size);
    return header;
  } finally {
    source.close();
  }
}
