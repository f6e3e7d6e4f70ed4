import { engineOf, withoutEvents, type Engine } from '../../core/port/engine.ts';
import type { RetrievalEngine, RetrievalOperation } from './retrieval-engine.ts';

/**
 * The engine of a worker for an embedder or a ranker: the retrieval operations, `heap` and `close`.
 *
 * @param heapBytes - size of WebAssembly's memory in this worker
 * @param close - finishes the worker's work with the database
 */
export function withHeap(
  { runs }: RetrievalEngine,
  heapBytes: () => number,
  close: () => Promise<void>,
): Engine<RetrievalOperation | 'close' | 'heap'> {
  return engineOf<RetrievalOperation | 'close' | 'heap'>({
    ...runs,
    close: () => withoutEvents(close),
    async *heap() {
      yield { type: 'heap', bytes: heapBytes() };
    },
  });
}
