import type { EngineConfig } from '../../core/realms/messages.ts';
import type { ComputeDevice } from '../../core/realms/device-report.ts';
import { ONNX_BUILDS } from '../../core/site/onnx-files.ts';
import type { StartWorker } from '../workers/page-worker.ts';
import { JobWorker } from '../workers/model-worker.ts';

/**
 * Starts a worker with ONNX Runtime.
 *
 * @param task - as of `workerName`
 * @param device - decides which build of `worker.ts` it runs
 */
export function onnxWorker(
  task: string,
  config: EngineConfig,
  device: ComputeDevice,
  start: StartWorker,
): JobWorker {
  const { script } = ONNX_BUILDS[device];
  return new JobWorker(task, script, { ...config, speechDevice: device }, start);
}
