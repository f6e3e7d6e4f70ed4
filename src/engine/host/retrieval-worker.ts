import { LLAMACPP, WEBLLM_WORKER } from '../../core/site/engine-files.ts';
import type { EngineConfig } from '../../core/realms/messages.ts';
import type { EngineName } from '../../core/catalog/variant.ts';
import { onnxDevice, type Gpu } from '../onnx/device.ts';
import { onnxWorker } from '../onnx/onnx-worker.ts';
import type { StartWorker } from '../workers/page-worker.ts';
import type { RetrievalOperation } from '../retrieval/retrieval-engine.ts';
import { JobWorker } from '../workers/model-worker.ts';
import type { PoolParts } from '../workers/worker-pool.ts';

/** Worker scripts of the engines that have a single one. */
const SCRIPTS: Partial<Record<EngineName, string>> = {
  llamacpp: LLAMACPP.script,
  webllm: WEBLLM_WORKER,
};

/** Chooses the device and the worker of embedders and cross-encoders by their variant's engine. */
export function startRetrieval(
  config: EngineConfig,
  gpu: Gpu | undefined,
  start: StartWorker,
): Pick<PoolParts<RetrievalOperation>, 'device' | 'start'> {
  return {
    // WebLLM cannot compute the same files on the CPU after a failure on the GPU.
    device: (model) =>
      model.variant.engine === 'onnx'
        ? onnxDevice(model, config.speechDevice, gpu)
        : Promise.resolve(model.runsOn ?? 'wasm'),
    start: (device, { variant }) => {
      const script = SCRIPTS[variant.engine];
      return script === undefined
        ? onnxWorker('retrieval', config, device, start)
        : new JobWorker('retrieval', script, { ...config, llamacppDevice: device }, start);
    },
  };
}
