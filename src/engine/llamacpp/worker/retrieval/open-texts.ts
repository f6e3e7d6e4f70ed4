import { ModelFiles, type ModelPart } from '../../model-files.ts';
import { storedFiles } from '../gpu/gpu-files.ts';
import type { GpuModule } from '../gpu/gpu-module.ts';
import { finished, requireWhole } from '../gpu/gpu-work.ts';
import { computableFiles, requireTrust } from '../gpu/load-on-gpu.ts';
import type { OpenedModule } from '../open-module.ts';
import { usable } from '../opened-model.ts';
import { LlamaTexts } from './llama-texts.ts';

/** @param threads - how many the site wants; undefined: the fastest number */
export async function openTextsOnCpu(
  { module, mostThreads }: OpenedModule,
  parts: readonly ModelPart[],
  threads: number | undefined,
): Promise<LlamaTexts> {
  const files = new ModelFiles(module, parts, () => undefined);
  await files.whole();
  return new LlamaTexts(module, { paths: files.paths, mostThreads, threads });
}

/**
 * @param base - folder of the site
 * @throws GpuFailure if the GPU cannot run the model or is not to be trusted
 */
export async function openTextsOnGpu(
  gpu: GpuModule,
  parts: readonly ModelPart[],
  base: string,
): Promise<LlamaTexts> {
  const files = await computableFiles(gpu, storedFiles(gpu, parts));
  const computed = async (context: number) => {
    requireWhole(gpu, context);
    await gpu.finish();
  };
  const options = { paths: files.paths, mostThreads: 1, threads: 1, computed };
  const open = () => usable(() => new LlamaTexts(gpu.module, options));
  const texts = await finished(gpu, open);
  await requireTrust(gpu, files, base);
  return texts;
}
