import { orAborted } from '../../../core/async/or-aborted.ts';
import { modelNotFound } from '../../../core/errors/errors.ts';
import { LLAMACPP } from '../../../core/site/engine-files.ts';
import type { ComputeDevice } from '../../../core/realms/device-report.ts';
import type { EngineConfig } from '../../../core/realms/messages.ts';
import type { LlamaCppVariant } from '../../../core/catalog/variant.ts';
import { chatFormat, hiddenTokens } from '../../conversation/prompt/chat-format.ts';
import type { ChatModelFacts } from '../../models/chat-model-facts.ts';
import { ChatModel } from '../../models/chat-model.ts';
import { chatTemplate } from '../../conversation/prompt/chat-template.ts';
import { JobPrompts } from '../../conversation/prompt/job-prompts.ts';
import { versionOf } from '../../kept-prompts/version-of.ts';
import type { LoadRequest, TextBackend, TextReceiver } from '../../conversation/text-backend.ts';
import type { TokenizerFacts } from '../../conversation/prompt/tokenizer-files.ts';
import type { InstalledModel } from '../../download/installer/installed-model.ts';
import type { StartWorker } from '../../workers/page-worker.ts';
import { ArrivingModel, projectorOf } from './arriving-model.ts';
import { LlamaCppModel } from './llamacpp-model.ts';
import type { LoadedModel, LoadModel } from '../messages.ts';
import { readParts } from '../model-files.ts';
import { ModelPlace } from './model-place.ts';
import { ModelWorker } from './model-worker.ts';
import { GpuLost } from './worker-lost.ts';

/** Used if the file has no default of its own. */
const DEFAULT_TEMPERATURE = 1;

/** ChatML, which llama.cpp also uses for files without a template. */
const DEFAULT_TEMPLATE = `{%- for message in messages -%}
{{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' -}}
{%- endfor -%}
{%- if add_generation_prompt -%}{{- '<|im_start|>assistant\\n' -}}{%- endif -%}`;

/** Loads GGUF files into llama.cpp, each in a worker of its own. */
export class LlamaCppBackend implements TextBackend {
  readonly #start: () => ModelWorker;
  readonly #base: string;
  readonly #threads: number | undefined;
  /** Models that are being downloaded, by id. */
  readonly #arriving = new Map<string, ArrivingModel>();

  /** Takes the site's folder, which has the worker's script, and the number of threads that the site wants. */
  constructor({ base, threads }: Pick<EngineConfig, 'base' | 'threads'>, start: StartWorker) {
    const script = new URL(LLAMACPP.script, base);
    this.#base = base;
    this.#start = () => new ModelWorker(start(script, 'slashv1 llama.cpp'));
    this.#threads = threads;
  }

  /** Starts the model's worker now. It opens the model while the files arrive. */
  receive(installed: InstalledModel): TextReceiver | undefined {
    const { entry, variant } = installed;
    // Without all sizes, the files cannot be placed in memory.
    const isKnown = installed.installation.files.every(({ size }) => size > 0);
    if (variant.engine !== 'llamacpp' || !isKnown) return undefined;
    const onGpu = this.#onGpu(installed.runsOn);
    // llama.cpp opens a model when it has the headers of all parts. Until then, there is no memory for the weights of one.
    if (onGpu && variant.parts.length > 1) return undefined;
    this.#arriving.get(entry.id)?.giveUp();
    const worker = this.#start();
    const arriving = new ArrivingModel(worker, installed, variant, {
      threads: this.#threads,
      kept: keptAs(installed, this.#base),
      onGpu,
      promptOf: (job, facts) => {
        const prompts = new JobPrompts({ ...chatFacts(facts, variant), sees: sees(variant) });
        const { prompt, images } = prompts.prepare(job);
        return images.size === 0 ? prompt : undefined;
      },
    });
    this.#arriving.set(entry.id, arriving);
    return arriving;
  }

  load(request: LoadRequest): Promise<ChatModel> {
    const { entry, variant } = request.installed;
    if (variant.engine !== 'llamacpp') throw modelNotFound(entry.id, 'llama.cpp cannot run it.');
    const place = new ModelPlace(request);
    return this.#placed(place, async () => {
      const arrived = this.#arriving.get(entry.id);
      this.#arriving.delete(entry.id);
      if (arrived?.is(request.installed)) {
        const { worker, facts } = arrived;
        const opened = this.#open(worker, facts, variant, request, place);
        return orEnded(worker, request.givenUp, opened);
      }
      arrived?.giveUp();
      return this.#withParts(variant, request, place, (worker, load) => {
        const facts = worker.load(load, (done) => request.onProgress(done, 'Loading weights'));
        return this.#open(worker, facts, variant, request, place);
      });
    });
  }

  /** Loads on the place's device. If the GPU fails, it is given up, or tried again. */
  async #placed<T>(place: ModelPlace, load: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await load();
      } catch (error) {
        if (!(error instanceof GpuLost)) throw error;
        await place.note(error);
      }
    }
  }

  /** Does the work with a worker for the verified files; the worker is ended if it fails. */
  #withParts<T>(
    variant: LlamaCppVariant,
    { withFiles, givenUp, installed }: LoadRequest,
    { device }: ModelPlace,
    work: (worker: ModelWorker, load: LoadModel) => Promise<T>,
  ): Promise<T> {
    let worker: ModelWorker | undefined;
    return withFiles(async (read) => {
      // The first attempt may have loaded a file that turned out to be damaged.
      worker?.end();
      const parts = await readParts(variant.parts, read);
      const [projector] = await readParts(projectorOf(variant), read);
      worker = this.#start();
      const onGpu = this.#onGpu(device);
      const { contextLength, kvCacheType } = installed;
      const kept = keptAs(installed, this.#base);
      const threads = this.#threads;
      const load = { parts, projector, contextLength, kvCacheType, threads, kept, onGpu };
      return orEnded(worker, givenUp, work(worker, load));
    });
  }

  #onGpu(device: ComputeDevice | undefined): LoadModel['onGpu'] {
    return device === 'webgpu' ? { base: this.#base } : undefined;
  }

  async #open(
    worker: ModelWorker,
    opened: Promise<LoadedModel>,
    variant: LlamaCppVariant,
    request: LoadRequest,
    place: ModelPlace,
  ): Promise<ChatModel> {
    const facts = await opened;
    if (sees(variant) && place.device === 'webgpu') await request.onImages(facts.imagesOnCpu);
    const chat = chatFacts(facts, variant);
    const model = new LlamaCppModel(worker, {
      open: () => this.#placed(place, () => this.#reopen(variant, request, place)),
      onGpuLost: (error) => place.note(error),
      facts,
      sees: sees(variant),
      canAllocate: request.canAllocate,
    });
    return new ChatModel(model, chat, () => model.vocabulary());
  }

  #reopen(variant: LlamaCppVariant, request: LoadRequest, place: ModelPlace): Promise<ModelWorker> {
    return this.#withParts(variant, request, place, async (worker, load) => {
      await worker.load(load, () => undefined);
      return worker;
    });
  }
}

/** Returns the result. Ends the worker if the work fails or `givenUp` is aborted. */
async function orEnded<T>(
  worker: ModelWorker,
  givenUp: AbortSignal,
  result: Promise<T>,
): Promise<T> {
  try {
    return await orAborted(result, givenUp);
  } catch (error) {
    worker.end();
    throw error;
  }
}

function keptAs({ entry, variant, installation }: InstalledModel, base: string): LoadModel['kept'] {
  return { base, model: entry.id, version: versionOf(variant, installation) };
}

function sees({ projector }: LlamaCppVariant): boolean {
  return projector !== undefined;
}

function chatFacts(facts: LoadedModel, variant: LlamaCppVariant): ChatModelFacts {
  const { contextLength, vocabularySize, stopTokenIds } = facts;
  const format = chatFormat(template(facts.tokenizer), facts.tokenizer, stopTokenIds);
  return {
    format,
    hidden: hiddenTokens(format, facts.tokenizer, stopTokenIds),
    stopTokenIds,
    contextLength,
    vocabularySize,
    sampling: { temperature: DEFAULT_TEMPERATURE, ...facts.sampling, ...variant.sampling },
  };
}

function template(tokenizer: TokenizerFacts) {
  return chatTemplate(tokenizer.chatTemplate ?? DEFAULT_TEMPLATE, tokenizer);
}
