import type * as XGrammar from '@mlc-ai/web-xgrammar';
import { MOST_TOGETHER } from './batches/batch.ts';
import { SharedBatches } from './batches/shared-batches.ts';
import { BatchCosts } from './drafts/batch-costs.ts';
import { GrammarMasks } from './grammar-masks.ts';
import { GgufError } from '../../../core/files/gguf/gguf-error.ts';
import type { GgufHeader } from '../../../core/files/gguf/gguf-header.ts';
import { mostPixels, wholeImageSide } from '../../../core/files/gguf/gguf-projector.ts';
import { requireAligned } from '../../../core/files/gguf/gguf-support.ts';
import type { DecodeImage } from '../../images/decode-image.ts';
import type { LoadedModel } from '../messages.ts';
import { modelFacts, type ModelFacts } from '../model-facts.ts';
import { ImageTokens } from './prompts/image-tokens.ts';
import type { KvContexts } from './kv-contexts.ts';
import { LlamaError } from './llama-error.ts';
import type { Llama } from './llama.ts';
import type { OpenModel } from './write-answer.ts';

/** A model that can write. */
export interface Loaded extends OpenModel {
  llama: Llama;
  contexts: KvContexts;
  images: ImageTokens;
}

type Opened = Omit<Loaded, 'batches' | 'costs' | 'masks'>;

/** A model that can write, from its parts that differ between the CPU and a GPU. */
export function readyModel(opened: Opened, xgrammar: typeof XGrammar): Loaded {
  const costs = new BatchCosts();
  return {
    ...opened,
    costs,
    masks: new GrammarMasks(xgrammar, opened.llama),
    batches: new SharedBatches(opened.decoder, costs),
  };
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
