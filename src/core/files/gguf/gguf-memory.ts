import type { GgufHeader, GgufTensor } from './gguf-header.ts';
import type { GgufMemory } from './memory-of-context.ts';
import { ggufShape, type GgufShape } from './gguf-shape.ts';
import { ggufSummary } from './gguf-summary.ts';
import { EMBEDDERS, GRAPH_NODES, TENSOR_TYPES } from './llamacpp-build.ts';
import { tensorBytes } from './tensor-bytes.ts';

/** The most tokens that are computed at once. */
export const BATCH_TOKENS = 32;

/** The most tokens of texts that are embedded at once. Only for a longer text are there more. */
export const EMBEDDED_TOKENS = 512;

/** Of a number in a mask and in most KV caches (f16), and of any other (f32). */
const HALF_BYTES = 2;
const FLOAT_BYTES = 4;

// Measured with models/llamacpp/built; the test compares sums of them with what it takes.
/** The program, its stack and what it allocates for any model. */
const PROGRAM_BYTES = 4_000_000;
/** A token of the vocabulary, and a pair that the tokenizer joins. */
const TOKEN_BYTES = 80;
const MERGE_BYTES = 70;
/** A node of the graph, in all tables of the scheduler. */
const NODE_BYTES = 640;
/** A module begins with so much, however small its model. */
const INITIAL_BYTES = 2 ** 24;

/** Nodes of a graph: for each tensor, and at least. */
const NODES_EACH = 8;
const LEAST_NODES = 1024;

/**
 * Estimates what a model takes with one context. If a header leaves open which layers have a KV cache,
 * all are counted; the KV cache of layers with a sliding window is as long as that of the others.
 *
 * @param parts - the headers of all parts, in order
 * @throws GgufError if a field has another type than the format says, or a tensor an unknown type
 */
export function ggufMemory(parts: readonly [GgufHeader, ...GgufHeader[]]): GgufMemory {
  const [first] = parts;
  const shape = ggufShape(first);
  const isEmbedder = ggufSummary(first).pooling !== undefined;
  const batch = isEmbedder ? EMBEDDED_TOKENS : BATCH_TOKENS;
  const tensors = parts.flatMap((part) => part.tensors);
  const weightBytes = tensors.reduce((sum, tensor) => sum + tensorBytes(tensor), 0);
  const tokenBytes = contextBytes(shape, cacheNumberBytes(tensors), batch);
  const buffers =
    PROGRAM_BYTES +
    tokenizerBytes(shape) +
    computeBytes(shape, batch) +
    graphBytes(shape, tensors.length) +
    (isEmbedder ? EMBEDDED_TOKENS * tokenBytes : 0);
  return {
    weightBytes,
    // An embedder's context is for a batch, however long its texts may be.
    tokenBytes: isEmbedder ? 0 : tokenBytes,
    bufferBytes: Math.max(buffers, INITIAL_BYTES - weightBytes),
  };
}

/** The KV cache is as exact as the weights: `cache_type` in models/llamacpp/binding.cpp decides so. */
function cacheNumberBytes(tensors: readonly GgufTensor[]): number {
  const areFloats = tensors.every(({ type }) => TENSOR_TYPES.get(type)?.name === 'F32');
  return areFloats ? FLOAT_BYTES : HALF_BYTES;
}

function contextBytes(
  { cacheHeads, cacheValues, hasWindow, architecture }: GgufShape,
  numberBytes: number,
  batch: number,
): number {
  const heads = EMBEDDERS.has(architecture) ? [] : cacheHeads;
  const cache = heads.reduce((sum, each) => sum + each * cacheValues * numberBytes, 0);
  return cache + (hasWindow ? 2 : 1) * batch * HALF_BYTES;
}

function tokenizerBytes({ vocabulary, merges }: GgufShape): number {
  return vocabulary * TOKEN_BYTES + merges * MERGE_BYTES;
}

/** The intermediate results that exist at the same time, two copies of the logits, and recurrent states. */
function computeBytes(
  { width, innerWidth, vocabulary, stateValues }: GgufShape,
  batch: number,
): number {
  const results = batch * (2 * innerWidth + 4 * width);
  return (results + 2 * vocabulary + stateValues) * FLOAT_BYTES;
}

/** As llama.cpp computes it in `graph_max_nodes`. */
function graphBytes({ architecture }: GgufShape, tensors: number): number {
  const each = GRAPH_NODES.get(architecture) ?? NODES_EACH;
  return Math.max(LEAST_NODES, each * tensors) * NODE_BYTES;
}
