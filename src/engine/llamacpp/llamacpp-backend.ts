import { modelNotFound } from '../../core/protocol/errors.ts';
import { LLAMACPP } from '../../core/protocol/engine-files.ts';
import type { EngineConfig } from '../../core/protocol/messages.ts';
import type { LlamaCppVariant } from '../../core/stores/variant.ts';
import { chatFormat, maskedTokenIds } from '../text/chat-format.ts';
import { ChatModel } from '../text/chat-model.ts';
import { chatTemplate } from '../text/chat-template.ts';
import type { LoadRequest, TextBackend } from '../text/text-backend.ts';
import type { TokenizerFacts } from '../text/tokenizer-files.ts';
import { ModelFileError } from '../weights/model-file-error.ts';
import type { ReadFile } from '../weights/read-file.ts';
import type { ModelPart } from './llama.ts';
import { LlamaCppModel } from './llamacpp-model.ts';
import type { LoadModel } from './messages.ts';
import { ModelWorker } from './model-worker.ts';

/** If the file has no defaults of its own. */
const DEFAULT_TEMPERATURE = 1;

/** ChatML, which llama.cpp also uses for files without a template. */
const DEFAULT_TEMPLATE = `{%- for message in messages -%}
{{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' -}}
{%- endfor -%}
{%- if add_generation_prompt -%}{{- '<|im_start|>assistant\\n' -}}{%- endif -%}`;

/** Loads GGUF files into llama.cpp, each in a worker of its own. */
export class LlamaCppBackend implements TextBackend {
  readonly #script: URL;
  readonly #threads: number | undefined;

  /** The site's folder, where the worker's script is, and the number of threads that it wants. */
  constructor({ base, threads }: Pick<EngineConfig, 'base' | 'threads'>) {
    this.#script = new URL(LLAMACPP.script, base);
    this.#threads = threads;
  }

  load(request: LoadRequest): Promise<ChatModel> {
    const { entry, variant, contextLength } = request.installed;
    if (variant.engine !== 'llamacpp') throw modelNotFound(entry.id, 'llama.cpp cannot run it.');
    let worker: ModelWorker | undefined;
    return request.withFiles(async (read) => {
      // The first attempt may have loaded a file that turned out to be damaged.
      worker?.end();
      const parts = await readParts(variant, read);
      const load = { parts, contextLength, threads: this.#threads };
      worker = new ModelWorker(this.#script);
      return orEnded(worker, this.#open(worker, load, variant, request));
    });
  }

  async #open(
    worker: ModelWorker,
    load: LoadModel,
    variant: LlamaCppVariant,
    { onProgress, canAllocate }: LoadRequest,
  ): Promise<ChatModel> {
    const facts = await worker.load(load, (done) => onProgress(done, 'Loading weights'));
    const format = chatFormat(template(facts.tokenizer), facts.tokenizer);
    const model = new LlamaCppModel(worker, {
      open: () => this.#reopen(load),
      facts,
      maskedTokenIds: maskedTokenIds(format, facts.tokenizer, facts.stopTokenIds),
      canAllocate,
    });
    const { contextLength, vocabularySize } = facts;
    const sampling = { temperature: DEFAULT_TEMPERATURE, ...facts.sampling, ...variant.sampling };
    return new ChatModel(model, { format, contextLength, vocabularySize, sampling }, () =>
      model.vocabulary(),
    );
  }

  async #reopen(load: LoadModel): Promise<ModelWorker> {
    const worker = new ModelWorker(this.#script);
    await orEnded(
      worker,
      worker.load(load, () => undefined),
    );
    return worker;
  }
}

/** The result. If there is none, the worker is ended. */
async function orEnded<T>(worker: ModelWorker, result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (error) {
    worker.end();
    throw error;
  }
}

function readParts({ parts }: LlamaCppVariant, read: ReadFile): Promise<ModelPart[]> {
  return Promise.all(
    parts.map(async (path) => {
      const blob = await read(path);
      if (!blob) throw new ModelFileError(path, 'is missing');
      return { name: path.slice(path.lastIndexOf('/') + 1), blob };
    }),
  );
}

function template(tokenizer: TokenizerFacts) {
  return chatTemplate(tokenizer.chatTemplate ?? DEFAULT_TEMPLATE, tokenizer);
}
