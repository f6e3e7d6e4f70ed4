import { readRankerConfig } from '../../../core/files/retrieval/sentence-config.ts';
import { CrossEncoder } from '../../retrieval/cross-encoder.ts';
import type { InstalledModel } from '../../download/installer/installed-model.ts';
import { configReader, readingConfigs } from '../../download/hub/read-configs.ts';
import type { ReadFile } from '../../download/transfer/read-file.ts';
import { TextGraph } from '../transformers/text-graph.ts';
import { TextTokenizer } from '../transformers/text-tokenizer.ts';
import { dtypeOf } from '../model-configs.ts';

/** @throws ApiError 500 if the model's files do not say that it ranks */
export async function openCrossEncoder(
  { entry: { id }, variant }: InstalledModel,
  read: ReadFile,
): Promise<CrossEncoder> {
  const { maxTokens } = await readingConfigs(id, () => readRankerConfig(configReader(read)));
  const tokenizer = await TextTokenizer.load(read);
  const dtype = dtypeOf(id, variant.quantization);
  const graph = await TextGraph.load('score', read, dtype, tokenizer.padding);
  return new CrossEncoder(maxTokens, {
    pair: (query, document) => tokenizer.pair(query, document),
    isSpecial: (token) => tokenizer.isSpecial(token),
    logits: async (pairs) => (await graph.run(pairs, ['logits'])).values,
    dispose: () => graph.dispose(),
  });
}
