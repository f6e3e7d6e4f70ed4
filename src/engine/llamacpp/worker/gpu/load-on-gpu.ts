import { databaseOpener } from '../../../../core/database/database.ts';
import { GgufError } from '../../../../core/files/gguf/gguf-error.ts';
import type { GgufHeader } from '../../../../core/files/gguf/gguf-header.ts';
import { unfitForGpu } from '../../../../core/fit/gguf-device.ts';
import { mostPixels } from '../../../../core/files/gguf/gguf-projector.ts';
import { ggufOnGpu } from '../../../../core/files/gguf/gguf-on-gpu.ts';
import type { DecodeImage } from '../../../images/decode-image.ts';
import type { LoadedModel, LoadModel } from '../../messages.ts';
import { ModelFiles, type ModelPart } from '../../model-files.ts';
import { openStates, type OpenPrompts } from '../kept/open-states.ts';
import { KvContexts } from '../kv-contexts.ts';
import type { Llama } from '../llama.ts';
import { LlamaError } from '../llama-error.ts';
import { LARGEST_SIDE } from '../prompts/image-tokens.ts';
import {
  imageTokensOf,
  loadedModel,
  openLlama,
  readFacts,
  readyModel,
  usable,
  type Loaded,
  type WritingOptions,
} from '../opened-model.ts';
import { checkGpu } from './check-gpu.ts';
import { storedChecks } from './gpu-checks.ts';
import { GpuDecoder, LARGEST_BATCH } from './gpu-decoder.ts';
import { asGpuFailure, GpuFailure } from './gpu-failure.ts';
import { GpuFiles } from './gpu-files.ts';
import type { GpuModule } from './gpu-module.ts';
import type { OpenGpu } from './open-gpu.ts';

interface LoadingParts extends WritingOptions {
  openGpu: OpenGpu;
  decodeImage: DecodeImage;
  openPrompts: OpenPrompts;
}

/**
 * Loads a model whose files have been downloaded. Its weights go from there into the GPU's memory, a tensor at a time.
 *
 * @throws GpuFailure if the GPU cannot run it or is not to be trusted; GgufError if a file is damaged
 */
export async function loadOnGpu(
  { parts, projector, contextLength: wanted, kvCacheType = 'f16', kept }: LoadModel,
  { base }: NonNullable<LoadModel['onGpu']>,
  { openGpu, decodeImage, openPrompts, ...writing }: LoadingParts,
): Promise<{ model: Loaded; told: LoadedModel }> {
  const gpu = await openGpu();
  const files = await computableFiles(gpu, parts);
  const facts = readFacts(files.headers);
  const open = () => openLlama(gpu.module, files.paths, LARGEST_BATCH, kvCacheType);
  const llama = await finished(gpu, open);
  await requireTrust(gpu, files, base);
  const contextLength = Math.min(wanted, llama.trainedContext);
  const eyes = projector && (await openProjector(gpu, llama, projector, base));
  const images = imageTokensOf(llama, eyes?.header, decodeImage);
  const newContext = (tokens: number) => newGpuContext(gpu, llama, tokens);
  const contexts = await finished(
    gpu,
    () => new KvContexts(llama, images, contextLength, newContext),
  );
  requireWhole(gpu, contexts.first);
  const decoder = new GpuDecoder(llama, gpu);
  const opened = {
    llama,
    decoder,
    contexts,
    images,
    contextLength,
    states: openStates(llama, openPrompts, kept, {
      build: 'webgpu',
      kvCacheType,
      settled: () => gpu.finish(),
    }),
  };
  return {
    model: readyModel(opened, facts, writing),
    told: {
      ...loadedModel(facts, llama, contextLength, contexts),
      ...(eyes?.cpuReason !== undefined && { imagesOnCpu: eyes.cpuReason }),
    },
  };
}

/** The files of a model. @throws GpuFailure if their headers tell that the GPU cannot compute it; GgufError */
export async function computableFiles(
  gpu: GpuModule,
  parts: readonly ModelPart[],
): Promise<GpuFiles> {
  const files = await GpuFiles.open(gpu, parts);
  requireComputable(gpu, files.headers);
  return files;
}

/**
 * For a model that llama.cpp has loaded, because it knows the GPU only then.
 *
 * @param base - folder of the site, whose database knows what was checked before
 * @throws GpuFailure if the GPU computes wrong products with its types of weights
 */
export async function requireTrust(gpu: GpuModule, files: GpuFiles, base: string): Promise<void> {
  const checks = storedChecks(databaseOpener(new URL(base).pathname), gpu.info);
  await checkGpu(gpu, files, checks);
}

/** Runs work of llama.cpp, and waits for the GPU. @throws GpuFailure; GgufError if the work does */
export async function finished<T>(gpu: GpuModule, work: () => T): Promise<T> {
  try {
    const result = work();
    await gpu.finish();
    return result;
  } catch (error) {
    throw error instanceof GgufError ? error : asGpuFailure(error);
  }
}

/**
 * Makes a context beside others. The GPU tells only later whether it has memory for it.
 *
 * @throws LlamaError `no_memory`: the others still work; GpuFailure
 */
async function newGpuContext(gpu: GpuModule, llama: Llama, tokens: number): Promise<number> {
  const context = llama.newContext(tokens);
  try {
    await gpu.finish();
    return context;
  } catch (error) {
    if (!(error instanceof GpuFailure) || !error.isMemory) throw error;
    llama.freeContext(context);
    throw new LlamaError('no_memory', error.message);
  }
}

/** @throws GpuFailure if the CPU would have to compute a part of the context's graph, which the module cannot wait for */
export function requireWhole(gpu: GpuModule, context: number): void {
  if (gpu.module._lc_is_whole(context) === 1) return;
  throw new GpuFailure('llama.cpp lacks an operation of this model on GPUs.', 'final');
}

function requireComputable(gpu: GpuModule, [first, ...others]: readonly GgufHeader[]): void {
  if (!first) throw new GpuFailure('The model has no file.', 'final');
  const reason = unfitForGpu(ggufOnGpu([first, ...others]), gpu.mostBytes);
  if (reason) throw new GpuFailure(reason.message, 'final');
}

/** A projector that was loaded. */
interface Eyes {
  header: GgufHeader | undefined;
  /** Why the CPU computes it; undefined: the GPU does. */
  cpuReason?: string;
}

/**
 * Loads the projector into the GPU's memory, if llama.cpp has all its operations there; otherwise, the CPU computes it, and
 * its file is in the module's memory.
 *
 * @throws GpuFailure; GgufError if the file is damaged
 */
async function openProjector(
  gpu: GpuModule,
  llama: Llama,
  projector: ModelPart,
  base: string,
): Promise<Eyes> {
  const files = await GpuFiles.open(gpu, [projector]);
  const [[path = ''], [header]] = [files.paths, files.headers];
  const pixels = header && mostPixels(header);
  const side = Math.floor(Math.sqrt(pixels ?? LARGEST_SIDE.high ** 2));
  const cpuReason = failureOf(() =>
    llama.loadProjector(path, (text) => gpu.module._lc_load_projector_on_gpu(text, side)),
  );
  if (cpuReason !== undefined) return { ...(await openOnCpu(gpu, llama, projector)), cpuReason };
  await gpu.finish();
  await requireTrust(gpu, files, base);
  return { header };
}

async function openOnCpu(gpu: GpuModule, llama: Llama, projector: ModelPart): Promise<Eyes> {
  const name = `in-memory-${projector.name}`;
  const files = new ModelFiles(gpu.module, [{ ...projector, name }], () => undefined);
  await files.whole();
  const [path = ''] = files.paths;
  usable(() => llama.loadProjector(path));
  const [header] = await files.headers();
  return { header };
}

/** Why llama.cpp has refused the work; undefined: it is done. @throws GpuFailure if it is not intact any more */
function failureOf(work: () => void): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof LlamaError && error.failure === 'failed') return error.message;
    throw asGpuFailure(error);
  }
}
