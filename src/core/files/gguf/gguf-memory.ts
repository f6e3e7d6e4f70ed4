import type { GgufHeader, GgufTensor } from './gguf-header.ts';
import type { GgufMemory } from './memory-of-context.ts';
import { ggufShape, type GgufShape } from './gguf-shape.ts';
import { ggufSummary } from './gguf-summary.ts';
import { EMBEDDERS, GRAPH_NODES, TENSOR_TYPES } from './llamacpp-build.ts';
import { tensorBytes } from './tensor-bytes.ts';

/**
 * The most tokens that a CPU computes at once: larger batches are hardly faster there, and an abort is heard between two.
 */
export const BATCH_TOKENS = 32;

/** The most tokens of a batch that have logits. */
const BATCH_OUTPUTS = 8;

/** The most tokens of texts that are embedded at once, except if a single text is longer. */
export const EMBEDDED_TOKENS = 512;

/** Bytes of a number: f16 in masks and most KV caches, f32 everywhere else. */
const HALF_BYTES = 2;
const FLOAT_BYTES = 4;
/** Bytes of a number in Q8_0: a block of 32 has a factor beside them. */
const Q8_BYTES = 34 / 32;

// Measured with models/llamacpp/built; the test compares their sums with the memory that it takes.
/** The program, its stack and what it allocates for any model. */
const PROGRAM_BYTES = 4_000_000;
/** A token of the vocabulary, and a pair that the tokenizer joins. */
const TOKEN_BYTES = 80;
const MERGE_BYTES = 70;
/** A node of the graph, in all tables of the scheduler. */
const NODE_BYTES = 640;
/** Initial memory of a module, however small its model is. */
const INITIAL_BYTES = 2 ** 24;

/** Nodes of a graph: for each tensor, and the least number. */
const NODES_EACH = 8;
const LEAST_NODES = 1024;

/**
 * Estimates the memory of a model with one context. If a header does not say which layers have a KV cache, all
 * are counted. Layers with a sliding window have a KV cache as long as the others'.
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
  const hasQ8 = shape.hasCacheBlocks && !isEmbedder;
  const buffers =
    PROGRAM_BYTES +
    tokenizerBytes(shape) +
    computeBytes(shape, batch, isEmbedder ? 1 : BATCH_OUTPUTS) +
    graphBytes(shape, tensors.length) +
    (isEmbedder ? EMBEDDED_TOKENS * tokenBytes : 0);
  return {
    weightBytes,
    // An embedder's context is for a batch, however long its texts may be.
    tokenBytes: isEmbedder ? 0 : tokenBytes,
    ...(hasQ8 && { q8TokenBytes: contextBytes(shape, Q8_BYTES, batch) }),
    bufferBytes: Math.max(buffers, INITIAL_BYTES - weightBytes),
  };
}

/** Unless Q8_0 is chosen, the KV cache is f32 only if all weights are: see `cache_type` in models/llamacpp/contexts.cpp. */
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
  outputs: number,
): number {
  const results = batch * (2 * innerWidth + 4 * width);
  return (results + 2 * outputs * vocabulary + stateValues) * FLOAT_BYTES;
}

/** Memory of the graph, whose nodes llama.cpp counts in `graph_max_nodes`. */
function graphBytes({ architecture }: GgufShape, tensors: number): number {
  const each = GRAPH_NODES.get(architecture) ?? NODES_EACH;
  return Math.max(LEAST_NODES, each * tensors) * NODE_BYTES;
}
