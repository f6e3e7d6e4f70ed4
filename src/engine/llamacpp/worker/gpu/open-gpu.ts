import * as v from 'valibot';
import { openGpuDevice } from '../../../../../models/llamacpp/gpu-device.ts';
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

/** @param browser - its `gpu` is undefined if it has no WebGPU in workers */
export function gpuOpener(
  { script, wasm }: GpuBuild,
  browser: { gpu?: GPU; userAgent: string },
  readBlob: ReadBlob,
): OpenGpu {
  return async () => {
    const opened = browser.gpu && (await openGpuDevice(browser.gpu));
    if (!opened) throw new GpuFailure('There is no GPU with the feature shader-f16.', 'final');
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
