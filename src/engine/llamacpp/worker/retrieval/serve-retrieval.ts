import { databaseOpener } from '../../../../core/database/database.ts';
import { WeightStore } from '../../../../core/weights/weight-store.ts';
import { RetrievalEngine, type RetrievalOperation } from '../../../retrieval/retrieval-engine.ts';
import { withHeap } from '../../../retrieval/with-heap.ts';
import { serveJobs } from '../../../workers/serve-worker.ts';
import type { OpenModule } from '../open-module.ts';
import { openRetrieval } from './open-retrieval.ts';

/** Serves an embedder or a cross-encoder in this worker. @returns takes the messages of the engine worker */
export function serveRetrieval(openModule: OpenModule) {
  return serveJobs<RetrievalOperation | 'heap'>('llamacpp', async ({ base, threads }) => {
    let heapBytes = () => 0;
    const engine = new RetrievalEngine({
      weights: new WeightStore(databaseOpener(new URL(base).pathname)),
      open: (model, read) => {
        const openNoted: OpenModule = async (wanted) => {
          const opened = await openModule(wanted);
          heapBytes = () => opened.module.HEAPU8.length;
          return opened;
        };
        return openRetrieval(openNoted, threads, model, read);
      },
    });
    return withHeap(engine, () => heapBytes());
  });
}
