import * as v from 'valibot';
import {
  fastestAdapter,
  openGpuDevice,
  type OpenedGpu,
} from '../../../../../models/llamacpp/gpu-device.ts';
import type { LlamaGpuModuleFactory } from '../../../../../models/llamacpp/module.ts';
import { toErrorData } from '../../../../core/errors/errors.ts';
import { isEmulated } from '../../../../core/fit/adapter-info.ts';
import { INIT_AGAIN } from '../../../../core/site/served-file.ts';
import { isSlowToTell } from '../../../device/gpu-adapter.ts';
import { loadModule } from '../../../workers/load-module.ts';
import { wasmFault } from '../../../workers/site-file.ts';
import { moduleOptions, started } from '../open-module.ts';
import { GpuFailure } from './gpu-failure.ts';
import { GpuModule, type ReadBlob } from './gpu-module.ts';

/** Opens the GPU, and the build of llama.cpp for it. @throws GpuFailure if either cannot be had */
export type OpenGpu = () => Promise<GpuModule>;

/** The build for GPUs, at its place in the site. */
interface GpuBuild {
  script: URL;
  wasm: URL;
}

/** The script of this build. */
const scriptSchema = v.object({
  default: v.custom<LlamaGpuModuleFactory>((value) => typeof value === 'function'),
});

/**
 * How often a browser is asked for an adapter, and how much longer it has each time, milliseconds. The engine has found one,
 * else no model would be loaded on the GPU. But a browser may have none for a moment: Chromium 156, soon after its start.
 */
const TIMES = 8;
const LATER_MS = 100;

async function openedDevice(gpu: GPU | undefined): Promise<OpenedGpu> {
  if (!gpu) throw new GpuFailure('The browser has no WebGPU in workers.', 'final');
  let adapter = await fastestAdapter(gpu);
  for (let time = 1; !adapter && time < TIMES; time++) {
    await new Promise((resolve) => setTimeout(resolve, time * LATER_MS));
    adapter = await fastestAdapter(gpu);
  }
  if (!adapter) throw new GpuFailure('The browser has no GPU at the moment.', 'passing');
  const opened = await openGpuDevice(adapter);
  if (!opened) throw new GpuFailure('The GPU lacks the feature shader-f16.', 'final');
  return opened;
}

/** @param browser - its `gpu` is undefined if it has no WebGPU in workers */
export function gpuOpener(
  { script, wasm }: GpuBuild,
  browser: { gpu?: GPU; userAgent: string },
  readBlob: ReadBlob,
): OpenGpu {
  return async () => {
    const opened = await openedDevice(browser.gpu);
    try {
      const what = 'The build of llama.cpp for GPUs';
      const { default: create } = await loadModule(what, script, scriptSchema, INIT_AGAIN);
      const gpu = {
        ...opened,
        isSlowToTell: isSlowToTell(browser),
        isEmulated: isEmulated(opened.info) === true,
      };
      const starting = create({ ...moduleOptions(wasm), gpu });
      const module = await started(wasm, starting);
      return new GpuModule(module, opened, readBlob);
    } catch (error) {
      const found = await wasmFault(wasm, error);
      const isOfSite = toErrorData(found).code === 'site_file_broken';
      const fault = isOfSite ? 'site' : 'final';
      throw new GpuFailure(`The build for GPUs does not start: ${found.message}`, fault);
    }
  };
}
