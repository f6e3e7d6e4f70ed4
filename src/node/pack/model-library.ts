import { basename, dirname, join } from 'node:path';

import * as v from 'valibot';

import type { LlamaShape } from './formats/checkpoint.ts';
import { sha256 } from './writing/hash.ts';
import { readBytes, readJsonFile } from './formats/json-file.ts';
import { PackError } from './pack-error.ts';
import { dtypeOf, QUANTIZATION, type Parameter } from './formats/parameters.ts';

const SHAPE_KEYS = [
  ...(['hidden', 'layers', 'heads', 'kvHeads', 'headDim', 'ffn', 'vocab'] as const),
  ...(['normEpsilon', 'ropeTheta'] as const),
];

const shapeSchema = v.object({
  hidden: v.number(),
  layers: v.number(),
  heads: v.number(),
  kv_heads: v.number(),
  head_dim: v.number(),
  ffn: v.number(),
  vocab: v.number(),
  eps: v.number(),
  rope_theta: v.number(),
  /** Tokens. */
  context: v.number(),
  /** Tokens. */
  prefill_chunk: v.number(),
});

const parameterSchema = v.object({
  name: v.string(),
  shape: v.array(v.number()),
  dtype: v.picklist(['uint32', 'float32']),
});

const librariesSchema = v.object({
  libraries: v.record(
    v.string(),
    v.object({
      file: v.string(),
      sha256: v.string(),
      quantization: v.string(),
      shape: shapeSchema,
      params: v.array(parameterSchema),
    }),
  ),
});

/** The compiled kernels of a model, and the shape that they were compiled for, from `library.json`. */
export interface ModelLibrary {
  /** Path of the .wasm file. */
  path: string;
  /** Hex. */
  sha256: string;
  shape: LlamaShape;
  /** Tokens. */
  contextLength: number;
  /** Tokens. */
  prefillChunk: number;
  parameters: v.InferOutput<typeof parameterSchema>[];
}

/**
 * @param path - path of the .wasm file
 * @throws PackError if the file or its description is missing, or they do not match
 */
export function readModelLibrary(path: string): ModelLibrary {
  const description = join(dirname(path), 'library.json');
  const { libraries } = readJsonFile(description, librariesSchema);
  const found = Object.values(libraries).find(({ file }) => file === basename(path));
  if (!found) throw new PackError(`${description} does not describe ${basename(path)}.`);
  if (sha256(readBytes(path)) !== found.sha256) {
    throw new PackError(`${path} is not the file that ${description} describes.`);
  }
  if (found.quantization !== QUANTIZATION) {
    throw new PackError(`${path} is for ${found.quantization}; packs are ${QUANTIZATION}.`);
  }
  const { sha256: hash, shape, params: parameters } = found;
  const { kv_heads: kvHeads, head_dim: headDim, eps, rope_theta: ropeTheta, ...same } = shape;
  const { context: contextLength, prefill_chunk: prefillChunk, ...sizes } = same;
  return {
    path,
    sha256: hash,
    contextLength,
    prefillChunk,
    parameters,
    shape: { ...sizes, kvHeads, headDim, normEpsilon: eps, ropeTheta },
  };
}

/** @throws PackError if the library was compiled for a model of another shape */
export function requireShape({ path, shape: compiled }: ModelLibrary, shape: LlamaShape): void {
  // Compared as f32, because checkpoints store f32: 1e-5 in a GGUF file is read as 9.999999747378752e-6.
  const differs = (key: keyof LlamaShape) => Math.fround(compiled[key]) !== Math.fround(shape[key]);
  const wrong = SHAPE_KEYS.find(differs);
  if (!wrong) return;
  throw new PackError(
    `The model has ${wrong} ${shape[wrong]}; ${path} was compiled for ${wrong} ${compiled[wrong]}.`,
  );
}

/**
 * Yields the parameters, after comparing each with what the library reads.
 *
 * @throws PackError if one differs, or at the end if the library reads more
 */
export function* requireParameters(
  { path, parameters }: ModelLibrary,
  found: Iterable<Parameter>,
): Generator<Parameter> {
  const missing = new Map(parameters.map(({ name, ...type }) => [name, type]));
  for (const parameter of found) {
    const { name, shape, data } = parameter;
    const wanted = missing.get(name);
    if (wanted?.shape.join() !== shape.join() || wanted.dtype !== dtypeOf(data)) {
      throw new PackError(`${path} does not read ${name} as ${dtypeOf(data)} [${shape.join()}].`);
    }
    missing.delete(name);
    yield parameter;
  }
  const [name] = missing.keys();
  if (name !== undefined) throw new PackError(`${path} reads ${name}, which no pack has.`);
}
