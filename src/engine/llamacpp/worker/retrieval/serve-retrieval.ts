import { closeConnection } from '../../../../core/database/engine-connection.ts';
import { databaseOpener } from '../../../../core/database/database.ts';
import { WeightStore } from '../../../../core/weights/weight-store.ts';
import { RetrievalEngine, type RetrievalOperation } from '../../../retrieval/retrieval-engine.ts';
import { withHeap } from '../../../retrieval/with-heap.ts';
import { serveJobs } from '../../../workers/serve-worker.ts';
import type { OpenGpu } from '../gpu/open-gpu.ts';
import type { OpenedModule, OpenModule } from '../open-module.ts';
import { openRetrieval, type OpenTexts } from './open-retrieval.ts';
import { openTextsOnCpu, openTextsOnGpu } from './open-texts.ts';

/** Serves an embedder or a cross-encoder in this worker. @returns takes the messages of the engine worker */
export function serveRetrieval(openModule: OpenModule, openGpu: OpenGpu) {
  return serveJobs<RetrievalOperation | 'close' | 'heap'>(
    'llamacpp',
    async ({ base, threads, llamacppDevice }) => {
      let heapBytes = () => 0;
      const database = databaseOpener(new URL(base).pathname);
      const engine = new RetrievalEngine({
        weights: new WeightStore(database),
        open: (model, read) => {
          const noted = <T extends Pick<OpenedModule, 'module'>>(opened: T) => {
            heapBytes = () => opened.module.HEAPU8.length;
            return opened;
          };
          const open: OpenTexts = async (parts) =>
            llamacppDevice === 'webgpu'
              ? openTextsOnGpu(noted(await openGpu()), parts, base)
              : openTextsOnCpu(noted(await openModule(threads)), parts, threads);
          return openRetrieval(open, model, read);
        },
      });
      return withHeap(
        engine,
        () => heapBytes(),
        () => closeConnection(database),
      );
    },
  );
}
