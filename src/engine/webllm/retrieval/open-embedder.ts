import type { ModelType } from '@mlc-ai/web-llm';
import { modelNotFound, modelUnusable, serverError } from '../../../core/errors/errors.ts';
import { readSentenceConfig } from '../../../core/files/retrieval/sentence-config.ts';
import type { WebLlmVariant } from '../../../core/catalog/variant.ts';
import { Embedder } from '../../retrieval/embedder.ts';
import type { InstalledModel } from '../../download/installer/installed-model.ts';
import { ModelFileError } from '../../download/hub/model-file-error.ts';
import { configReader, readingConfigs } from '../../download/hub/read-configs.ts';
import type { ReadFile } from '../../download/transfer/read-file.ts';
import { MODEL_URL, type CacheShim } from '../cache-shim.ts';
import { loadError } from '../errors.ts';
import type { GpuDevices } from '../gpu/gpu-devices.ts';
import type { MlcEngine } from '../load-library.ts';
import { findEmbeddingPipeline, type EmbeddingPipeline } from './embedding-pipeline.ts';
import { requirePlain } from './mlc-embedder.ts';
import { MlcSentences } from './mlc-sentences.ts';
import { readAroundText, withWholeTexts } from './mlc-tokenizer.ts';

const MODEL_ID = 'model';
// oxlint-disable-next-line no-unsafe-enum-assignment -- the enum itself is in WebLLM's own bundle
const EMBEDDING: ModelType.embedding = 1;

/** The parts of this worker that embedders need. */
interface EmbedderOptions {
  library: () => Promise<MlcEngine>;
  shim: CacheShim;
  devices: GpuDevices;
  /** Gets the pipeline of each embedder that was loaded. */
  onLoaded: (pipeline: EmbeddingPipeline) => void;
}

/** @returns loads an embedder into WebLLM. It throws ApiError 500 if the model's files or the GPU cannot be used */
export function embedderOpener(parts: EmbedderOptions) {
  return async ({ entry, variant }: InstalledModel, read: ReadFile): Promise<Embedder> => {
    const { id, task } = entry;
    if (variant.engine !== 'webllm' || task !== 'embedding') throw modelNotFound(id);
    try {
      return await readingConfigs(id, () => open(parts, variant, read));
    } catch (error) {
      throw error instanceof ModelFileError ? modelUnusable(id, error.fault) : error;
    }
  };
}

async function open(
  parts: EmbedderOptions,
  variant: WebLlmVariant,
  read: ReadFile,
): Promise<Embedder> {
  const config = await readSentenceConfig(configReader(read));
  requirePlain(config);
  const around = await readAroundText(read);
  const { pipeline, unload } = await load(parts, variant, withWholeTexts(read));
  parts.onLoaded(pipeline);
  const maxTokens = Math.min(config.maxTokens, pipeline.contextWindowSize);
  const sentences = new MlcSentences(pipeline, config.pooling, around, unload);
  return new Embedder({ ...config, maxTokens }, sentences);
}

async function load(
  { library, shim, devices }: EmbedderOptions,
  { modelLibrary, needs, overrides }: WebLlmVariant,
  read: ReadFile,
): Promise<{ pipeline: EmbeddingPipeline; unload: () => Promise<void> }> {
  const engine = new (await library())({
    logLevel: 'WARN',
    appConfig: {
      model_list: [
        {
          model: MODEL_URL,
          model_id: MODEL_ID,
          model_lib: MODEL_URL + modelLibrary,
          model_type: EMBEDDING,
          required_features: needs.shaderF16 ? ['shader-f16'] : [],
        },
      ],
    },
  });
  shim.serve(read);
  try {
    await devices.use(() => engine.reload(MODEL_ID, overrides));
  } catch (error) {
    throw loadError(error);
  }
  const pipeline = findEmbeddingPipeline(engine, MODEL_ID);
  if (pipeline) return { pipeline, unload: () => engine.unload() };
  throw serverError('engine_error', 'This version of WebLLM computes embeddings differently.');
}
