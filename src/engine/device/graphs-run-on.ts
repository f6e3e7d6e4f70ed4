import type { OnnxDevice } from '../../core/realms/onnx-files.ts';
import { isEmulated, type AdapterInfo } from './gpu-adapter.ts';

/**
 * What ONNX graphs run on that can run on a GPU.
 *
 * @param adapter - the GPU's; older browsers have no `info`
 * @param wanted - with `webgpu`, an adapter that computes on the CPU is used too
 */
export function graphsRunOn(
  adapter: { info?: AdapterInfo } | undefined,
  wanted: OnnxDevice | undefined,
): OnnxDevice {
  if (!adapter || !hasPromiseIntegration()) return 'wasm';
  return wanted ?? (isEmulated(adapter.info ?? {}) === false ? 'webgpu' : 'wasm');
}

/** The build with WebGPU needs WebAssembly's promise integration, which not all browsers have. */
function hasPromiseIntegration(): boolean {
  return 'Suspending' in WebAssembly;
}
