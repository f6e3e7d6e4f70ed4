import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

import * as v from 'valibot';

import {
  field,
  optionalField,
  readGgufHeader,
  texts,
  type GgufHeader,
} from '../../../core/files/gguf/gguf-header.ts';
import type { GgufOnGpu } from '../../../core/catalog/variant.ts';
import { ggufOnGpu } from '../../../core/files/gguf/gguf-on-gpu.ts';
import { ggufMemory } from '../../../core/files/gguf/gguf-memory.ts';
import type { GgufMemory } from '../../../core/files/gguf/memory-of-context.ts';
import {
  isProjector,
  requireUsableProjector,
  withProjector,
} from '../../../core/files/gguf/gguf-projector.ts';
import { quantizationOf } from '../../../core/files/gguf/gguf-quantization.ts';
import { splitParts } from '../../../core/files/gguf/gguf-split.ts';
import { requireSupported, requireWhole } from '../../../core/files/gguf/gguf-support.ts';
import { ggufTask, type GgufTask } from '../../../core/files/gguf/gguf-task.ts';
import { VISION } from '../../../core/catalog/catalog-entry.ts';
import { templateFeatures } from '../../../engine/conversation/thinking/template-features.ts';
import { openByteSource } from '../sources/byte-source.ts';
import { PackError } from '../pack-error.ts';

/** A model for llama.cpp, whose weights are packed unchanged. */
export interface GgufModel {
  /** Headers of the file, or of all parts of a split file in order. Their names are paths. */
  parts: GgufHeader[];
  /** Path of its projector; undefined: it sees no images. */
  projector: string | undefined;
  /** E.g. `Q4_K_M`. */
  quantization: string;
  memory: GgufMemory;
  onGpu: GgufOnGpu;
  /** Tokens. */
  contextLength: number;
  /** Tokens in the vocabulary. */
  vocabulary: number;
  does: GgufTask;
  /** Features, as in the manifest. */
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
 * Reads the headers of a GGUF model, and of the projector that is in the same folder, if there is one.
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
  const tokens = optionalField(header, 'tokenizer.ggml.tokens', texts);
  const does = ggufTask(header);
  const isChat = does.task === 'chat';
  const eyes = isChat ? await projectorBeside(first, header) : undefined;
  const memory = ggufMemory(headers);
  const features = isChat ? templateFeatures(text('tokenizer.chat_template')) : [];
  return {
    parts: headers,
    projector: eyes?.name,
    does,
    quantization: quantizationOf(header),
    contextLength,
    vocabulary: tokens?.length ?? 0,
    memory: eyes ? withProjector(memory, eyes) : memory,
    onGpu: ggufOnGpu(headers),
    features: eyes ? [...features, VISION] : features,
    origin: { name, license, organization: text('general.organization') },
  };
}

/** Finds the projector in the model's folder whose vectors have the model's width. */
async function projectorBeside(path: string, model: GgufHeader): Promise<GgufHeader | undefined> {
  const architecture = field(model, 'general.architecture', v.string());
  const width = field(model, `${architecture}.embedding_length`, v.number());
  const folder = dirname(path);
  for (const name of readdirSync(folder).filter(isProjector).toSorted()) {
    const header = await readPart(join(folder, name));
    if (header.metadata.get('clip.vision.projection_dim') !== width) continue;
    requireUsableProjector(header);
    return header;
  }
  return undefined;
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
