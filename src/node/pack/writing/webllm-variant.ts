import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';

import type { PackVariant } from '../../../core/catalog/pack-manifest.ts';
import { templateFeatures } from '../../../engine/conversation/thinking/template-features.ts';
import { chatConfig } from '../formats/chat-config.ts';
import type { Checkpoint } from '../formats/checkpoint.ts';
import { readBytes } from '../formats/json-file.ts';
import { variantFiles } from './manifest.ts';
import { requireParameters, requireShape, type ModelLibrary } from '../model-library.ts';
import type { ModelOptions } from '../model-options.ts';
import { packParameters, QUANTIZATION } from '../formats/parameters.ts';
import { writeTensorCache } from './tensor-cache.ts';

/** The model library's path in the pack. */
const MODEL_LIBRARY = 'model.wasm';
/** Tokens in a page of TVM's KV cache. TVM allocates one page more than the context needs. */
const KV_PAGE = 16;
const F32_BYTES = 4;

/** What the variant for WebLLM is made of. */
export interface WebLlmSource {
  checkpoint: Checkpoint;
  library: ModelLibrary;
}

/**
 * Writes the files of the variant for WebLLM into an empty folder.
 *
 * @throws PackError if the checkpoint and the library do not match
 */
export function writeWebLlmVariant(
  folder: string,
  { checkpoint, library }: WebLlmSource,
  options: ModelOptions,
): PackVariant {
  requireShape(library, checkpoint.shape);
  const write = (name: string, content: string | Uint8Array) =>
    writeFileSync(join(folder, name), content);
  write(MODEL_LIBRARY, readBytes(library.path));
  write('tokenizer.json', checkpoint.tokenizer);
  write('tokenizer_config.json', checkpoint.tokenizerConfig);
  write('mlc-chat-config.json', JSON.stringify(chatConfig(checkpoint, library, options)));
  const parameters = requireParameters(library, packParameters(checkpoint));
  const memoryBytes = writeTensorCache(folder, parameters) + kvCacheBytes(library);
  return {
    engine: 'webllm',
    quantization: QUANTIZATION,
    needs: { memoryBytes },
    modelLibrary: MODEL_LIBRARY,
    ...variantFiles(folder),
  };
}

/** The features that the model's chat template shows, as in the manifest. */
export function webLlmFeatures({ tokenizerConfig }: Checkpoint): string[] {
  const config = v.parse(tokenizerConfigSchema, JSON.parse(tokenizerConfig));
  return templateFeatures(config.chat_template);
}

const tokenizerConfigSchema = v.object({ chat_template: v.optional(v.string()) });

/** F32 keys and values for a full context. */
function kvCacheBytes({ shape, contextLength }: ModelLibrary): number {
  const perToken = 2 * shape.layers * shape.kvHeads * shape.headDim * F32_BYTES;
  return (Math.ceil(contextLength / KV_PAGE) + 1) * KV_PAGE * perToken;
}
