import { databaseOpener } from '../../../../core/database/database.ts';
import type { GgufHeader } from '../../../../core/files/gguf/gguf-header.ts';
import { unfitForGpu } from '../../../../core/fit/gguf-device.ts';
import { mostPixels } from '../../../../core/files/gguf/gguf-projector.ts';
import { ggufOnGpu } from '../../../../core/files/gguf/gguf-on-gpu.ts';
import type { DecodeImage } from '../../../images/decode-image.ts';
import type { LoadedModel, LoadModel } from '../../messages.ts';
import { ModelFiles, type FilledFiles, type ModelPart } from '../../model-files.ts';
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
import { ArrivingFiles } from './arriving-files.ts';
import { checkGpu } from './check-gpu.ts';
import { compileKernels } from './compile-kernels.ts';
import { storedChecks } from './gpu-checks.ts';
import { GpuDecoder, LARGEST_BATCH } from './gpu-decoder.ts';
import { asGpuFailure, GpuFailure } from './gpu-failure.ts';
import { GpuFiles, storedFiles, type GpuFile } from './gpu-files.ts';
import type { GpuModule } from './gpu-module.ts';
import { finished, requireWhole } from './gpu-work.ts';
import type { OpenGpu } from './open-gpu.ts';

interface LoadingParts extends WritingOptions {
  openGpu: OpenGpu;
  decodeImage: DecodeImage;
  openPrompts: OpenPrompts;
  /** Gets the files, if they are being downloaded, as soon as they can be filled. */
  onArriving: (files: FilledFiles) => void;
}

/**
 * Loads a model. Its weights go into the GPU's memory: from the weight store, a tensor at a time, or as they are downloaded.
 * Then the GPU compiles its kernels meanwhile.
 *
 * @throws GpuFailure if the GPU cannot run it or is not to be trusted; GgufError if a file is damaged
 */
export async function loadOnGpu(
  { parts, projector, contextLength: wanted, kvCacheType = 'f16', kept }: LoadModel,
  { base }: NonNullable<LoadModel['onGpu']>,
  { openGpu, decodeImage, openPrompts, onArriving, ...writing }: LoadingParts,
): Promise<{ model: Loaded; told: LoadedModel }> {
  const gpu = await openGpu();
  const arriving = arrivingFiles(gpu, parts, projector);
  if (arriving) onArriving(arriving);
  const files = await computableFiles(gpu, arriving ? [arriving.model] : storedFiles(gpu, parts));
  const facts = readFacts(files.headers);
  const open = () => openLlama(gpu.module, files.paths, LARGEST_BATCH, kvCacheType);
  const llama = await finished(gpu, open);
  if (arriving) {
    arriving.begin(files.headers);
    await compileKernels(gpu, llama, () => !arriving.model.isWhole);
  }
  await requireTrust(gpu, files, base);
  const contextLength = Math.min(wanted, llama.trainedContext);
  const sight = (await arriving?.projector()) ?? projector;
  const eyes = sight && (await openProjector(gpu, llama, sight, base));
  const images = imageTokensOf(llama, eyes?.header, decodeImage);
  const newContext = (tokens: number) => newGpuContext(gpu, llama, tokens);
  const contexts = await finished(
    gpu,
    () => new KvContexts(llama, images, contextLength, newContext),
  );
  requireWhole(gpu, contexts.first);
  await arriving?.whole();
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

/** @returns undefined if the files are in the weight store */
function arrivingFiles(
  gpu: GpuModule,
  [part]: readonly ModelPart[],
  projector: ModelPart | undefined,
): ArrivingFiles | undefined {
  return part && !part.blob ? new ArrivingFiles(gpu, part, projector) : undefined;
}

/** Opens the files of a model. @throws GpuFailure if their headers tell that the GPU cannot compute it; GgufError */
export async function computableFiles(
  gpu: GpuModule,
  files: readonly GpuFile[],
): Promise<GpuFiles> {
  const opened = await GpuFiles.open(gpu, files);
  requireComputable(gpu, opened.headers);
  return opened;
}

/**
 * For a model that llama.cpp has loaded, because it knows the GPU only then.
 *
 * @param base - folder of the site, whose database knows what was checked before
 * @throws GpuFailure if the GPU computes wrong products with its types of weights
 */
export async function requireTrust(gpu: GpuModule, files: GpuFiles, base: string): Promise<void> {
  const checks = storedChecks(databaseOpener(new URL(base).pathname), gpu.info);
  await checkGpu(gpu, files.samples, checks);
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
  const files = await GpuFiles.open(gpu, storedFiles(gpu, [projector]));
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
