import * as v from 'valibot';
import type { OnnxGraphFile } from '../../../core/graph-file.ts';
import { MODEL_CONFIG } from '../../../core/model-config.ts';
import {
  POOLING_FILE,
  readRankerConfig,
  SENTENCE_FILES,
} from '../../../core/retrieval/sentence-config.ts';
import type { CatalogEntry } from '../../../core/stores/catalog-entry.ts';
import { describedEmbedder } from '../../weights/described-embedder.ts';
import type { Repository } from '../../weights/hub-repository.ts';
import { filesOf, onnxEntry } from '../onnx-entry.ts';

const configSchema = v.looseObject({ architectures: v.optional(v.array(v.string()), []) });

/**
 * The catalog entry of a repository with a sentence embedder or a cross-encoder.
 *
 * @param base - finds the model that it was made of
 * @throws ConfigFault if the files do not say how the model works
 */
export async function retrievalEntry(
  own: Repository,
  graphs: readonly OnnxGraphFile[],
  base: () => Promise<Repository | undefined>,
): Promise<CatalogEntry> {
  const { architectures } = v.parse(configSchema, (await own.read(MODEL_CONFIG)) ?? {});
  if (architectures.some((name) => name.endsWith('ForSequenceClassification'))) {
    const { maxTokens } = await readRankerConfig(own.read);
    return { ...onnxEntry(own, graphs, maxTokens), task: 'rerank' };
  }
  const kind = architectures.join() || 'unknown kind';
  const { config, describedBy } = await describedEmbedder(own, kind, base);
  const { embedding, maxTokens } = config;
  const sentenceFiles = filesOf(describedBy, [...SENTENCE_FILES, POOLING_FILE]);
  const entry = onnxEntry(own, graphs, maxTokens, [], [sentenceFiles]);
  return { ...entry, task: 'embedding', embedding };
}
