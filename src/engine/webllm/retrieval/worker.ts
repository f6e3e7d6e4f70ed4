import { databaseOpener } from '../../../core/database/database.ts';
import { WeightStore } from '../../../core/weights/weight-store.ts';
import { enginePort } from '../../workers/engine-port.ts';
import { RetrievalEngine, type RetrievalOperation } from '../../retrieval/retrieval-engine.ts';
import { withHeap } from '../../retrieval/with-heap.ts';
import { serveJobs } from '../../workers/serve-worker.ts';
import { CacheShim } from '../cache-shim.ts';
import { GpuDevices } from '../gpu/gpu-devices.ts';
import { loadLibrary } from '../load-library.ts';
import { heapBytes, type EmbeddingPipeline } from './embedding-pipeline.ts';
import { embedderOpener } from './open-embedder.ts';

declare const self: DedicatedWorkerGlobalScope | SharedWorkerGlobalScope;

const receive = serveJobs<RetrievalOperation | 'heap'>('webllm', ({ base }) => {
  const shim = new CacheShim();
  shim.install(caches);
  const devices = new GpuDevices();
  if ('GPUAdapter' in self) devices.watch(GPUAdapter.prototype);
  let loaded: EmbeddingPipeline | undefined;
  const engine = new RetrievalEngine({
    weights: new WeightStore(databaseOpener(new URL(base).pathname)),
    open: embedderOpener({
      library: () => loadLibrary(base),
      shim,
      devices,
      onLoaded: (pipeline) => (loaded = pipeline),
    }),
  });
  return Promise.resolve(withHeap(engine, () => (loaded ? heapBytes(loaded) : 0)));
});

void enginePort(self).then((port) => {
  port.onmessage = receive;
});
