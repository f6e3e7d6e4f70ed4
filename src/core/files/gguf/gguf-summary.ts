import * as v from 'valibot';
import { field, optionalField, type GgufHeader } from './gguf-header.ts';

/** Facts about a model from the header of its GGUF file; of a split model, from that of its first part. */
export interface GgufSummary {
  /** llama.cpp's name, e.g. `qwen3`. */
  architecture: string;
  /** What the file contains: `model`, or for example `adapter` or `mmproj`. */
  type: string;
  /** The model's name, as its maker wrote it. */
  name: string | undefined;
  license: string | undefined;
  /** Tokens; 0: unknown. */
  contextLength: number;
  /** How the model's outputs become one embedding; undefined: it writes text. */
  pooling: Pooling | undefined;
  /** E.g. `gpt2`; undefined: the file has no tokenizer. */
  tokenizer: string | undefined;
  /** How text is cut before it becomes tokens, e.g. `qwen2`. */
  preTokenizer: string | undefined;
}

/** Which part of a split model a file is. */
export interface SplitFacts {
  /** From 0. */
  part: number;
  parts: number;
}

type Pooling = 'mean' | 'cls' | 'last' | 'rank';

/** Poolings by llama.cpp's number. 0 means no pooling. */
const POOLINGS: (Pooling | undefined)[] = [undefined, 'mean', 'cls', 'last', 'rank'];

/** @throws GgufError if the header has no architecture, or a field has another type */
export function ggufSummary(file: GgufHeader): GgufSummary {
  const architecture = field(file, 'general.architecture', v.string());
  const text = (key: string) => optionalField(file, key, v.string());
  const number = (key: string) => optionalField(file, key, v.number());
  return {
    architecture,
    type: text('general.type') ?? 'model',
    name: text('general.name'),
    license: text('general.license'),
    contextLength: number(`${architecture}.context_length`) ?? 0,
    pooling: POOLINGS[number(`${architecture}.pooling_type`) ?? 0],
    tokenizer: text('tokenizer.ggml.model'),
    preTokenizer: text('tokenizer.ggml.pre'),
  };
}

/** @throws GgufError if a field has another type */
export function splitFacts(file: GgufHeader): SplitFacts {
  return {
    part: optionalField(file, 'split.no', v.number()) ?? 0,
    parts: optionalField(file, 'split.count', v.number()) || 1,
  };
}
