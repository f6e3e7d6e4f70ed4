import * as v from 'valibot';
import type { OnnxGraphFile } from '../../../core/files/onnx/graph-file.ts';
import { MODEL_CONFIG } from '../../../core/files/model-config.ts';
import {
  readRankerConfig,
  readWholeConfig,
  SENTENCE_FILES,
} from '../../../core/files/retrieval/sentence-config.ts';
import type { CatalogEntry } from '../../../core/catalog/catalog-entry.ts';
import {
  describedEmbedder,
  Undescribed,
  type DescribedEmbedder,
} from '../../download/hub/described-embedder.ts';
import type { Repository } from '../../download/hub/hub-repository.ts';
import { filesOf, onnxEntry } from '../onnx-entry.ts';
import { wholeTexts } from './whole-texts.ts';

const configSchema = v.looseObject({ architectures: v.optional(v.array(v.string()), []) });

/**
 * The catalog entry of a repository with a sentence embedder or a cross-encoder.
 *
 * @param base - opens the base model's repository
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
  try {
    return describedEntry(own, graphs, await describedEmbedder(own, kind, base));
  } catch (error) {
    if (!(error instanceof Undescribed)) throw error;
    return wholeEntry(own, await wholeTexts(own, graphs, error.message));
  }
}

function describedEntry(
  own: Repository,
  graphs: readonly OnnxGraphFile[],
  { config, describedBy }: DescribedEmbedder,
): CatalogEntry {
  const { embedding, maxTokens, moduleFiles } = config;
  const sentenceFiles = filesOf(describedBy, [...SENTENCE_FILES, ...moduleFiles]);
  const entry = onnxEntry(own, graphs, maxTokens, [], [sentenceFiles]);
  return { ...entry, task: 'embedding', embedding };
}

/** The catalog entry of a model whose graphs need no pooling. */
async function wholeEntry(
  own: Repository,
  { graphs, length }: { graphs: readonly OnnxGraphFile[]; length: number | undefined },
): Promise<CatalogEntry> {
  const { embedding, maxTokens } = await readWholeConfig(own.read, length);
  return { ...onnxEntry(own, graphs, maxTokens, SENTENCE_FILES), task: 'embedding', embedding };
}
