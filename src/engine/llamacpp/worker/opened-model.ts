import type * as XGrammar from '@mlc-ai/web-xgrammar';
import { MOST_TOGETHER } from './batches/batch.ts';
import { SharedBatches } from './batches/shared-batches.ts';
import { BatchCosts } from './drafts/batch-costs.ts';
import { GrammarMasks } from './grammar-masks.ts';
import { GgufError } from '../../../core/files/gguf/gguf-error.ts';
import type { GgufHeader } from '../../../core/files/gguf/gguf-header.ts';
import { mostPixels, wholeImageSide } from '../../../core/files/gguf/gguf-projector.ts';
import { requireAligned } from '../../../core/files/gguf/gguf-support.ts';
import type { LlamaModule } from '../../../../models/llamacpp/module.ts';
import type { KvCacheType } from '../../../core/realms/kv-cache-type.ts';
import type { DecodeImage } from '../../images/decode-image.ts';
import type { LoadedModel } from '../messages.ts';
import { modelFacts, type ModelFacts } from '../model-facts.ts';
import { ImageTokens } from './prompts/image-tokens.ts';
import type { KvContexts } from './kv-contexts.ts';
import { LlamaError } from './llama-error.ts';
import { Llama } from './llama.ts';
import type { OpenModel } from './write-answer.ts';

/** A model that can write. */
export interface Loaded extends OpenModel {
  llama: Llama;
  contexts: KvContexts;
  images: ImageTokens;
}

/** The parts of a model that differ between the CPU and a GPU. */
type Opened = Omit<Loaded, 'batches' | 'costs' | 'masks' | 'mostDrafted' | 'stripsFirstSpace'>;

/** How all models write. */
export interface WritingOptions {
  xgrammar: typeof XGrammar;
  /** How many tokens of an answer may be computed ahead; undefined: as many as pay. */
  mostDrafted?: number;
}

/** A model that can write. */
export function readyModel(
  opened: Opened,
  { stripsFirstSpace }: ModelFacts,
  { xgrammar, mostDrafted = Infinity }: WritingOptions,
): Loaded {
  const { llama, decoder } = opened;
  const costs = new BatchCosts();
  return {
    ...opened,
    stripsFirstSpace,
    // What was drafted and is not written is cut from the KV cache.
    mostDrafted: llama.goesBack ? mostDrafted : 0,
    costs,
    masks: new GrammarMasks(xgrammar, llama),
    batches: new SharedBatches(decoder, costs),
  };
}

/** Opens a model whose KV caches are of this type. @throws GgufError if llama.cpp cannot use a file, with its reason */
export function openLlama(
  module: LlamaModule,
  paths: readonly string[],
  batchSize: number,
  kvCacheType: KvCacheType,
): Llama {
  const llama = usable(() => new Llama(module, paths, batchSize));
  module._lc_quantize_cache(Number(kvCacheType === 'q8_0'));
  return llama;
}

/** The facts in the first file. @throws GgufError if llama.cpp cannot use the weights at their places */
export function readFacts(headers: readonly GgufHeader[]): ModelFacts {
  const [first] = headers;
  if (!first) throw new LlamaError('failed', 'The model has no file.');
  headers.forEach(requireAligned);
  return modelFacts(first);
}

/** @param eyes - header of the model's projector; undefined: it sees no images */
export function imageTokensOf(
  llama: Llama,
  eyes: GgufHeader | undefined,
  decodeImage: DecodeImage,
): ImageTokens {
  const seen = eyes && { side: wholeImageSide(eyes), pixels: mostPixels(eyes) };
  return new ImageTokens(llama, decodeImage, seen);
}

/** The facts about a model that its worker tells the engine. */
export function loadedModel(
  facts: ModelFacts,
  { vocabularySize, stopTokenIds, goesBack }: Llama,
  contextLength: number,
  { bytesEach }: KvContexts,
): LoadedModel {
  // Recurrent models can't be cut, and so can't draft; llama.cpp does not compute several of their states at once.
  const together = goesBack ? MOST_TOGETHER : 1;
  return { ...facts, vocabularySize, contextLength, stopTokenIds, cacheBytes: bytesEach, together };
}

/** @throws GgufError if llama.cpp cannot use the file, with its reason */
export function usable<T>(open: () => T): T {
  try {
    return open();
  } catch (error) {
    if (!(error instanceof LlamaError) || error.failure !== 'failed') throw error;
    throw new GgufError(error.message, { cause: error });
  }
}
