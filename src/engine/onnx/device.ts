import type { SpeechDevice } from '../../core/protocol/messages.ts';
import { orAborted } from '../../core/async/or-aborted.ts';
import type { InstalledModel } from '../weights/installed-model.ts';

/** For the adapter, milliseconds: a GPU process that hangs gives none. */
const ADAPTER_MS = 10_000;

/** What is asked of a browser. */
export interface Gpu {
  requestAdapter(): Promise<{ info: { isFallbackAdapter?: boolean } } | null>;
}

type SpeechModel = Pick<InstalledModel, 'entry' | 'variant'>;

/**
 * What a speech model runs on.
 *
 * @param wanted - `webgpu` takes an adapter that computes on the CPU, too
 */
export async function speechDevice(
  model: SpeechModel,
  wanted: SpeechDevice | undefined,
  gpu: Gpu | undefined,
): Promise<SpeechDevice> {
  if (wanted === 'wasm' || !gpu || !isForGpu(model) || !hasPromiseIntegration()) return 'wasm';
  const inTime = AbortSignal.timeout(ADAPTER_MS);
  const adapter = await orAborted(gpu.requestAdapter(), inTime).catch(() => null);
  if (!adapter) return 'wasm';
  return wanted ?? (adapter.info.isFallbackAdapter === false ? 'webgpu' : 'wasm');
}

/**
 * Of what 8-bit graphs compute, ONNX Runtime's WebGPU has no kernel
 * (node_modules/onnxruntime-web/docs/webgpu-operators.md). SpeechT5 would leave its KV cache there (see
 * `SpeechT5Graphs`).
 */
function isForGpu({ entry, variant }: SpeechModel): boolean {
  if (entry.task !== 'speech' || entry.speech.family === 'speecht5') return false;
  return variant.quantization === 'fp32';
}

/** The smaller of the builds with WebGPU waits for it by WebAssembly's own means, which not all browsers have. */
function hasPromiseIntegration(): boolean {
  return 'Suspending' in WebAssembly;
}
