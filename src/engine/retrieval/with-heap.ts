import { engineOf, type Engine } from '../../core/port/engine.ts';
import type { RetrievalEngine, RetrievalOperation } from './retrieval-engine.ts';

/**
 * The engine of a worker for an embedder or a ranker: the retrieval operations and `heap`.
 *
 * @param heapBytes - size of WebAssembly's memory in this worker
 */
export function withHeap(
  { runs }: RetrievalEngine,
  heapBytes: () => number,
): Engine<RetrievalOperation | 'heap'> {
  return engineOf<RetrievalOperation | 'heap'>({
    ...runs,
    async *heap() {
      yield { type: 'heap', bytes: heapBytes() };
    },
  });
}
