import { LLAMACPP } from '../core/protocol/engine-files.ts';
import type { EngineConfig } from '../core/protocol/messages.ts';
import { onnxDevice, type Gpu } from './onnx/device.ts';
import { onnxWorker } from './onnx/onnx-worker.ts';
import type { StartWorker } from './page-worker.ts';
import type { RetrievalOperation } from './retrieval/retrieval-engine.ts';
import { JobWorker } from './workers/model-worker.ts';
import type { PoolParts } from './workers/worker-pool.ts';

/** What embedders and cross-encoders run on, and in which worker: the engine of their variant decides. */
export function startRetrieval(
  config: EngineConfig,
  gpu: Gpu | undefined,
  start: StartWorker,
): Pick<PoolParts<RetrievalOperation>, 'device' | 'start'> {
  return {
    device: (model) =>
      model.variant.engine === 'onnx' ? onnxDevice(model, undefined, gpu) : Promise.resolve('wasm'),
    start: (device, { variant }) =>
      variant.engine === 'llamacpp'
        ? new JobWorker('retrieval', LLAMACPP.script, config, start)
        : onnxWorker('retrieval', config, device, start),
  };
}
