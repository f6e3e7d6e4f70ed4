import { LLAMACPP } from '../../core/site/engine-files.ts';
import type { EngineConfig } from '../../core/realms/messages.ts';
import { onnxDevice, type Gpu } from '../onnx/device.ts';
import { onnxWorker } from '../onnx/onnx-worker.ts';
import type { StartWorker } from '../workers/page-worker.ts';
import type { RetrievalOperation } from '../retrieval/retrieval-engine.ts';
import { JobWorker } from '../workers/model-worker.ts';
import type { PoolParts } from '../workers/worker-pool.ts';

/** Chooses the device and the worker of embedders and cross-encoders: llama.cpp for GGUF files, else ONNX Runtime. */
export function startRetrieval(
  config: EngineConfig,
  gpu: Gpu | undefined,
  start: StartWorker,
): Pick<PoolParts<RetrievalOperation>, 'device' | 'start'> {
  return {
    device: (model) =>
      model.variant.engine === 'llamacpp'
        ? Promise.resolve(model.runsOn ?? 'wasm')
        : onnxDevice(model, config.speechDevice, gpu),
    start: (device, { variant }) =>
      variant.engine === 'llamacpp'
        ? new JobWorker('retrieval', LLAMACPP.script, { ...config, llamacppDevice: device }, start)
        : onnxWorker('retrieval', config, device, start),
  };
}
