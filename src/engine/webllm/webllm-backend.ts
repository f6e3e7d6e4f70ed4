import { modelNotFound } from '../../core/errors/errors.ts';
import { chatFormat, hiddenTokens } from '../conversation/prompt/chat-format.ts';
import { ChatModel } from '../models/chat-model.ts';
import { chatTemplate } from '../conversation/prompt/chat-template.ts';
import type { LoadRequest, TextBackend } from '../conversation/text-backend.ts';
import { readTokenizerFacts, type TokenizerFacts } from '../conversation/prompt/tokenizer-files.ts';
import { Vocabulary } from '../conversation/answer/vocabulary.ts';
import type { InstalledModel } from '../download/installer/installed-model.ts';
import type { Installer } from '../download/installer/installer.ts';
import type { ReadFile } from '../download/transfer/read-file.ts';
import type { CacheShim } from './cache-shim.ts';
import { GpuKernels } from './gpu/gpu-kernels.ts';
import { keepGpuRecipe, readGpuRecipe } from './gpu/gpu-recipe.ts';
import {
  defaultSampling,
  readChatConfig,
  stopTokenIds,
  type ChatConfig,
} from './installation/mlc-chat-config.ts';
import { mlcTemplate } from './installation/mlc-template.ts';
import type { WebLlmModel } from './webllm-model.ts';

interface WebLlmServices {
  /** A new model, not loaded yet. */
  newModel: () => Promise<WebLlmModel>;
  shim: CacheShim;
  installer: Pick<Installer, 'readNote' | 'keepNote'>;
  /** Undefined: WebLLM compiles all GPU kernels by itself. */
  gpu?: GPU;
}

/** Loads models compiled for MLC into WebLLM. */
export class WebLlmBackend implements TextBackend {
  readonly #parts: WebLlmServices;

  constructor(parts: WebLlmServices) {
    this.#parts = parts;
  }

  async load(request: LoadRequest): Promise<ChatModel> {
    const { installed, withFiles } = request;
    const { gpu, installer } = this.#parts;
    const model = await this.#parts.newModel();
    const kernels = gpu && new GpuKernels(gpu, await readGpuRecipe(installer, installed));
    if (kernels) model.onAnswered = () => void this.#keepRecipe(installed, kernels);
    try {
      return await withFiles((read) => this.#loadFrom(read, model, request));
    } finally {
      await kernels?.end();
    }
  }

  async #loadFrom(
    read: ReadFile,
    model: WebLlmModel,
    { installed: { entry, variant }, onProgress, canAllocate }: LoadRequest,
  ): Promise<ChatModel> {
    if (variant.engine !== 'webllm') throw modelNotFound(entry.id, 'WebLLM cannot run it.');
    this.#parts.shim.serve(read);
    const overrides = variant.overrides ?? {};
    const config = await readChatConfig(read, overrides);
    const tokenizer = await readTokenizerFacts(read);
    const stops = stopTokenIds(config, tokenizer);
    const format = chatFormat(template(config, tokenizer), tokenizer, stops);
    const options = {
      modelLibrary: variant.modelLibrary,
      overrides,
      stopTokenIds: stops,
      prefixTokenIds: prefixTokenIds(config, tokenizer),
      needsF16: variant.needs.shaderF16 ?? false,
      canAllocate,
    };
    await model.load(options, onProgress);
    const facts = {
      format,
      hidden: hiddenTokens(format, tokenizer, stops),
      stopTokenIds: stops,
      contextLength: config.context_window_size,
      vocabularySize: config.vocab_size,
      sampling: defaultSampling(config),
    };
    return new ChatModel(model, facts, () => Vocabulary.read(read));
  }

  async #keepRecipe(installed: InstalledModel, kernels: GpuKernels): Promise<void> {
    const recipe = kernels.takeChanged();
    if (recipe) await keepGpuRecipe(this.#parts.installer, installed, recipe);
  }
}

function template(config: ChatConfig, tokenizer: TokenizerFacts) {
  return tokenizer.chatTemplate === undefined
    ? mlcTemplate(config, tokenizer.controlTokens)
    : chatTemplate(tokenizer.chatTemplate, tokenizer);
}

/** A Jinja template writes the first tokens itself. */
function prefixTokenIds(config: ChatConfig, { chatTemplate: source }: TokenizerFacts) {
  return source === undefined ? (config.conv_template.system_prefix_token_ids ?? null) : null;
}
