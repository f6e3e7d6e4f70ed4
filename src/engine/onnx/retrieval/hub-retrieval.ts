import * as v from 'valibot';
import type { OnnxGraphFile } from '../../../core/graph-file.ts';
import { ConfigFault, MODEL_CONFIG, type ReadConfig } from '../../../core/model-config.ts';
import {
  MODULES,
  POOLING_FILE,
  readRankerConfig,
  readSentenceConfig,
  SENTENCE_FILES,
} from '../../../core/retrieval/sentence-config.ts';
import type { CatalogEntry } from '../../../core/stores/catalog-entry.ts';
import type { Repository } from '../../weights/hub-repository.ts';
import { filesOf, onnxEntry } from '../onnx-entry.ts';

const configSchema = v.looseObject({ architectures: v.optional(v.array(v.string()), []) });

/**
 * The catalog entry of a repository with a sentence embedder or a cross-encoder. Repositories with graphs for
 * transformers.js often lack the files of sentence-transformers: those are then taken from the model that they were
 * made of.
 *
 * @param base - finds that model
 * @throws ConfigFault if the files do not say how the model works
 */
export async function retrievalEntry(
  own: Repository,
  graph: OnnxGraphFile,
  base: () => Promise<Repository | undefined>,
): Promise<CatalogEntry> {
  const { architectures } = v.parse(configSchema, (await own.read(MODEL_CONFIG)) ?? {});
  if (architectures.some((name) => name.endsWith('ForSequenceClassification'))) {
    const { maxTokens } = await readRankerConfig(own.read);
    return { ...onnxEntry(own, graph, maxTokens), task: 'rerank' };
  }
  const described = own.paths.includes(MODULES) ? own : await base();
  if (!described?.paths.includes(MODULES)) {
    const kind = architectures.join() || 'unknown kind';
    throw new ConfigFault(
      `it is a model of the ${kind} with neither a ${MODULES} nor a base model that has one`,
    );
  }
  const read: ReadConfig = async (path) => (await described.read(path)) ?? own.read(path);
  const { embedding, maxTokens } = await readSentenceConfig(read);
  const sentenceFiles = filesOf(described, [...SENTENCE_FILES, POOLING_FILE]);
  const entry = onnxEntry(own, graph, maxTokens, [], [sentenceFiles]);
  return { ...entry, task: 'embedding', embedding };
}
