import { modelNotFound } from '../../../core/errors/errors.ts';
import type { RetrievalModel } from '../../retrieval/retrieval-engine.ts';
import type { InstalledModel } from '../../download/installer/installed-model.ts';
import type { ReadFile } from '../../download/transfer/read-file.ts';
import { openCrossEncoder } from './pair-graph.ts';
import { openEmbedder } from './sentence-graph.ts';

/** Loads an embedder or a cross-encoder into ONNX Runtime. */
export function openRetrieval(model: InstalledModel, read: ReadFile): Promise<RetrievalModel> {
  switch (model.entry.task) {
    case 'embedding':
      return openEmbedder(model, read);
    case 'rerank':
      return openCrossEncoder(model, read);
    default:
      throw modelNotFound(model.entry.id);
  }
}
