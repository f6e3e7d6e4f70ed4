import type { AdapterInfo } from '../../core/fit/adapter-info.ts';
import type { ComputeDevice } from '../../core/realms/device-report.ts';
import { findAdapter, graphsRunOn, type AdapterSource } from '../device/gpu-adapter.ts';
import type { InstalledModel } from '../download/installer/installed-model.ts';

/** The part of a GPUAdapter that is used. Older browsers have no `info`. */
interface Adapter {
  info?: AdapterInfo;
  features: { has(feature: string): boolean };
}

/** The part of a browser's GPU interface that is used. */
export type Gpu = AdapterSource<Adapter>;

type OnnxModel = Pick<InstalledModel, 'entry' | 'variant'>;

/**
 * Chooses the device that a model runs on.
 *
 * @param wanted - with `webgpu`, an adapter that computes on the CPU is used too
 */
export async function onnxDevice(
  model: OnnxModel,
  wanted: ComputeDevice | undefined,
  gpu: Gpu | undefined,
): Promise<ComputeDevice> {
  if (wanted === 'wasm' || !isForGpu(model)) return 'wasm';
  const adapter = await findAdapter(gpu);
  const lacksF16 = model.variant.needs.shaderF16 && !adapter?.features.has('shader-f16');
  return lacksF16 ? 'wasm' : graphsRunOn(adapter, wanted);
}

/**
 * Whether a GPU can run a model's graph. ONNX Runtime's WebGPU has no kernels for the operators of 8-bit graphs
 * (node_modules/onnxruntime-web/docs/webgpu-operators.md). SpeechT5 would leak its KV cache there (see
 * `SpeechT5Graphs`).
 */
export function isForGpu({ entry, variant }: OnnxModel): boolean {
  if (entry.task === 'speech' && entry.speech.family === 'speecht5') return false;
  return variant.quantization === 'fp32' || variant.quantization === 'fp16';
}
