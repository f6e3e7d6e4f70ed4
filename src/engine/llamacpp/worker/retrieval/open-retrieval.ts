import { GgufError } from '../../../../core/files/gguf/gguf-error.ts';
import { modelNotFound, modelUnusable, serverError } from '../../../../core/errors/errors.ts';
import { CrossEncoder } from '../../../retrieval/cross-encoder.ts';
import { Embedder } from '../../../retrieval/embedder.ts';
import type { RetrievalModel } from '../../../retrieval/retrieval-engine.ts';
import type { InstalledModel } from '../../../download/installer/installed-model.ts';
import type { ReadFile } from '../../../download/transfer/read-file.ts';
import { LlamaError } from '../llama-error.ts';
import { readParts, type ModelPart } from '../../model-files.ts';
import type { LlamaTexts } from './llama-texts.ts';
import { messageOf } from '../../../../core/text/message-of.ts';

/** Opens a model's files in a new module of llama.cpp. */
export type OpenTexts = (parts: readonly ModelPart[]) => Promise<LlamaTexts>;

/**
 * Loads an embedder or a cross-encoder into llama.cpp.
 *
 * @param open - opens its files in a new module
 * @throws ApiError 500 `model_unusable` if llama.cpp cannot use the files
 */
export async function openRetrieval(
  open: OpenTexts,
  { entry, variant, contextLength }: InstalledModel,
  read: ReadFile,
): Promise<RetrievalModel> {
  if (variant.engine !== 'llamacpp') throw modelNotFound(entry.id);
  const orError = errorsOf(entry.id);
  const texts = await orError(async () => open(await readParts(variant.parts, read)));
  const dispose = () => Promise.resolve();
  if (entry.task === 'rerank') {
    return new CrossEncoder(contextLength, {
      pair: (query, document) => ({ ids: texts.pair(query, document) }),
      isSpecial: (token) => texts.isSpecial(token),
      logits: (pairs) =>
        orError(async () => (await texts.compute(pairs)).map(([score = Number.NaN]) => score)),
      dispose,
    });
  }
  if (entry.task !== 'embedding') throw modelNotFound(entry.id);
  const { embedding } = entry;
  if (texts.width !== embedding.length) {
    throw modelUnusable(entry.id, `its vectors have ${texts.width} numbers`);
  }
  const facts = { embedding, maxTokens: contextLength, prompts: variant.prompts ?? {} };
  return new Embedder(facts, {
    ids: (text) => texts.ids(text),
    vectors: (batch) => orError(() => texts.compute(batch)),
    dispose,
  });
}

/** Runs llama.cpp's work, and turns its errors into ApiErrors. */
function errorsOf(model: string) {
  return async <T>(work: () => T | Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw apiError(model, error);
    }
  };
}

function apiError(model: string, error: unknown): unknown {
  if (error instanceof GgufError) return modelUnusable(model, error.message);
  if (error instanceof LlamaError && error.failure === 'failed') {
    return modelUnusable(model, error.message);
  }
  const isMemory =
    error instanceof LlamaError ? error.failure === 'no_memory' : error instanceof RangeError;
  if (!isMemory && !(error instanceof LlamaError)) return error;
  const message = messageOf(error);
  return isMemory
    ? serverError('out_of_memory', `There is not enough memory to run the model: ${message}`)
    : serverError('engine_error', message);
}
