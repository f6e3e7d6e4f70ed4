import type { ChatCompletionRequestStreaming, LogitProcessor, MLCEngine } from '@mlc-ai/web-llm';
import { promptTooLong } from '../../core/errors/errors.ts';
import type { PromptUsage } from '../../core/operations/events/events.ts';
import type { Sampling } from '../../core/operations/jobs/jobs.ts';
import { decodeImage, type DecodeImage } from '../images/decode-image.ts';
import { withMaskedTokens } from '../conversation/sampling/masked-tokens.ts';
import { firstState } from '../conversation/sampling/random-numbers.ts';
import { needsSampler, Sampler, type SampledToken } from '../conversation/sampling/sampler.ts';
import type { PromptImages } from '../conversation/prompt/prompt-images.ts';
import type { EmitRaw, Generation, TextModel, Tokenizer } from '../conversation/text-model.ts';
import { MODEL_URL } from './cache-shim.ts';
import { generateError, loadError } from './errors.ts';
import { GpuDevices } from './gpu/gpu-devices.ts';
import { ImageTokens } from './pipeline/image-tokens.ts';
import type { ShownPrompt } from './pipeline/kv-caches.ts';
import {
  KvConversation,
  type AnswerEnd,
  type KvReuse,
  type PromptPlan,
} from './pipeline/kv-conversation.ts';
import type { MlcEngine } from './load-library.ts';
import { PipelineAccess } from './pipeline/pipeline-access.ts';
import { heldUsage, passThrough, streamRequest, wholeUsage, type LoadOptions } from './requests.ts';
import { WarmKv } from './pipeline/warm-kv.ts';

const MODEL_ID = 'model';
/** Bias and penalties that change nothing: the sampler has applied them already. */
const APPLIED: Sampling = {
  logitBias: {},
  frequencyPenalty: 0,
  presencePenalty: 0,
  repetitionPenalty: 1,
};

/** One model in WebLLM, on a GPU device of its own: the prompt is final text, the output raw text. */
export class WebLlmModel implements TextModel {
  readonly #devices: GpuDevices;
  /** Used by the running generation; undefined if it needs none. */
  #sampler: Sampler | undefined;
  readonly #processor: LogitProcessor = {
    processLogits: (logits) => this.#sampler?.processLogits(logits) ?? logits,
    processSampledToken: (token) => this.#sampler?.processSampledToken(token),
    resetState: () => undefined,
  };
  readonly #engine: MLCEngine;
  readonly #decode: DecodeImage;
  #pipeline: PipelineAccess | undefined;
  #reuse: KvReuse = new KvConversation();
  #images: ImageTokens | undefined;
  #isMasked = false;
  /** How many tokens of the running generation have come as text. */
  #told = 0;
  #stopTokenIds: number[] = [];
  /** Ids of the tokens that WebLLM puts before every prompt. */
  #prefixTokenIds: readonly number[] = [];
  #contextLength = Infinity;
  /** Called when an answer has ended without an error. */
  onAnswered: () => void = () => undefined;

  /**
   * @param Engine - WebLLM's own, from `loadLibrary`
   * @param devices - watches the GPU devices of this realm
   */
  constructor(Engine: MlcEngine, devices = new GpuDevices(), decode: DecodeImage = decodeImage) {
    this.#devices = devices;
    this.#decode = decode;
    this.#engine = new Engine({
      logLevel: 'WARN',
      logitProcessorRegistry: new Map([[MODEL_ID, this.#processor]]),
    });
  }

  /** @param onProgress - gets the part that is done, 0 to 1, and what is being done */
  async load(
    options: LoadOptions,
    onProgress: (done: number, text: string) => void,
  ): Promise<void> {
    this.#engine.setInitProgressCallback(({ progress, text }) => {
      // WebLLM counts each of its stages from 0 to 1, and names them only in words.
      if (text.includes('shader')) onProgress((1 + progress) / 2, 'Compiling shaders');
      else if (text.includes('Loading model')) onProgress(progress / 2, 'Loading weights');
    });
    this.#engine.setAppConfig({
      model_list: [
        {
          model: MODEL_URL,
          model_id: MODEL_ID,
          model_lib: MODEL_URL + options.modelLibrary,
          required_features: options.needsF16 ? ['shader-f16'] : [],
        },
      ],
    });
    try {
      await this.#devices.use(() => this.#engine.reload(MODEL_ID, passThrough(options)));
    } catch (error) {
      throw loadError(error);
    }
    this.#stopTokenIds = options.stopTokenIds;
    this.#prefixTokenIds = options.prefixTokenIds ?? [];
    this.#pipeline = new PipelineAccess(this.#engine, MODEL_ID, {
      wanted: () => this.#isMasked && (this.#sampler?.wantsRaw ?? false),
      observe: (logits) => this.#sampler?.observe(logits),
    });
    const { kvCaches, images: model } = this.#pipeline;
    this.#contextLength = kvCaches?.contextLength ?? Infinity;
    const encode = (text: string) => kvCaches?.encode(text) ?? [];
    const images = kvCaches && model && new ImageTokens({ model, encode, decode: this.#decode });
    this.#images = images;
    this.#reuse = kvCaches ? new WarmKv(kvCaches, { ...options, images }) : new KvConversation();
  }

  get sees(): boolean {
    return this.#images !== undefined;
  }

  forget(request: number): void {
    this.#reuse.forget(request);
  }

  isWarm(prompt: string): boolean {
    return this.#reuse.isWarm(prompt);
  }

  get tokenizer(): Tokenizer | undefined {
    const own = this.#pipeline?.tokenizer;
    const read = async (text: string, images?: PromptImages) =>
      images?.size ? this.#images?.read(text, images) : own?.encode(text);
    const encode = async (text: string, images?: PromptImages) => [
      ...this.#prefixTokenIds,
      ...((await read(text, images)) ?? []),
    ];
    return own && { ...own, encode };
  }

  get extraBytes(): number {
    return this.#reuse.extraBytes;
  }

  releaseExtra(): void {
    this.#reuse.releaseExtra();
  }

  /** Frees the GPU device with everything on it. */
  unload(): Promise<void> {
    this.#pipeline = undefined;
    this.#reuse = new KvConversation();
    this.#images = undefined;
    return this.#engine.unload();
  }

  async generate(
    prompt: string,
    generation: Generation,
    signal: AbortSignal,
    emit: EmitRaw,
  ): Promise<void> {
    const shown = await this.#shown(prompt, generation.images);
    signal.throwIfAborted();
    const sampler = this.#prepareSampler(generation);
    const reuse = this.#reuse;
    const request = this.#request(reuse.begin(prompt, shown, generation), generation);
    let output = '';
    let reason: string | undefined;
    let answer: AnswerEnd | undefined;
    let isBroken = false;
    let isFull = false;
    let hides = false;
    const interrupt = () => void this.#engine.interruptGenerate();
    this.#told = 0;
    try {
      for await (const chunk of await this.#engine.chat.completions.create(request)) {
        // Leaving the loop ends WebLLM's generator, which stops the generation and frees its lock.
        signal.throwIfAborted();
        const [choice] = chunk.choices;
        const written = choice?.delta.content;
        const text = this.#shownText(written, generation);
        hides ||= text !== written;
        const count = this.#pipeline?.writtenTokens;
        output += text ?? '';
        reason = choice?.finish_reason ?? reason;
        const read = promptUsage(reuse);
        const isEnded = sampler?.isEnded ?? false;
        if (text && !isEnded) {
          const tokens = this.#takeTokens(sampler, generation);
          emit({ type: 'text', text, tokens, count, hides, prompt: read }, interrupt);
          hides = false;
        }
        // WebLLM would write one more token, which the context does not hold.
        isFull ||= (read?.promptTokens ?? 0) + (count ?? 0) >= this.#contextLength;
        if (isFull || isEnded) interrupt();
        if (!chunk.usage) continue;
        // Control tokens have no text.
        const rest = generation.forced ? this.#takeTokens(sampler, generation) : [];
        if (rest.length > 0) emit({ type: 'text', text: '', tokens: rest, count, prompt: read });
        const usage = wholeUsage(reuse, chunk.usage);
        if (reason === 'stop')
          answer = { output, tokens: usage.promptTokens + usage.completionTokens };
        const isCut = reason === 'length' || (isFull && reason !== 'stop');
        emit({ type: 'finish', reason: isCut ? 'length' : 'stop', usage });
      }
    } catch (error) {
      isBroken = error !== signal.reason;
      signal.throwIfAborted();
      throw generateError(error, this.#contextLength);
    } finally {
      reuse.end(answer, isBroken);
      this.#images?.forget();
    }
    this.onAnswered();
  }

  /** Reads a prompt with images, which WebLLM itself cannot do. */
  async #shown(prompt: string, images: PromptImages | undefined): Promise<ShownPrompt | undefined> {
    const reader = this.#images;
    if (!images?.size || !reader) return undefined;
    try {
      const tokens = [...this.#prefixTokenIds, ...(await reader.read(prompt, images, true))];
      const { length } = tokens;
      if (length > this.#contextLength) throw promptTooLong(length, this.#contextLength);
      return { tokens, input: (rest) => reader.input(rest, images) };
    } catch (error) {
      reader.forget();
      throw error;
    }
  }

  #prepareSampler(generation: Generation): Sampler | undefined {
    const { constraint, topLogprobs, asked, forced, ending } = generation;
    const sampling = this.#withMask(generation);
    const isConstrained = constraint !== undefined;
    const limits = { topLogprobs, asked, forced, ending, isConstrained };
    const options = { sampling, ...limits, endTokenIds: this.#stopTokenIds };
    this.#sampler = needsSampler(options) ? new Sampler(options) : undefined;
    this.#isMasked = isConstrained;
    this.#pipeline?.setLogitProcessor(this.#sampler && this.#processor);
    return this.#sampler;
  }

  #request(plan: PromptPlan, generation: Generation): ChatCompletionRequestStreaming {
    const { maxTokens, constraint, random, forced, ending } = generation;
    const sampling = this.#sampler
      ? { ...generation.sampling, ...APPLIED }
      : this.#withMask(generation);
    return {
      ...streamRequest(plan, { ...sampling, seed: firstState(random) }, maxTokens),
      // A token of the forced beginning does not end the output either.
      ...(((ending?.ignoresEnd && !constraint) || forced) && { ignore_eos: true }),
      ...(constraint && { response_format: constraint }),
    };
  }

  #withMask({ sampling, constraint, hidden }: Generation): Generation['sampling'] {
    return constraint && hidden ? withMaskedTokens(sampling, hidden.keys()) : sampling;
  }

  /** Leaves out control tokens. */
  #shownText(text: string | null | undefined, { hidden }: Generation): string | null | undefined {
    const fresh = this.#pipeline?.writtenIds(this.#told) ?? [];
    this.#told += fresh.length;
    return fresh.reduce((shown, id) => shown?.replace(hidden?.get(id) ?? '', ''), text);
  }

  /** The sampled tokens without the one that ends the turn, which is not part of the text. */
  #takeTokens(sampler: Sampler | undefined, { forced }: Generation): SampledToken[] {
    const tokens = sampler?.takeSampled() ?? [];
    return forced ? tokens : tokens.filter(({ id }) => !this.#stopTokenIds.includes(id));
  }
}

function promptUsage(reuse: KvReuse): PromptUsage | undefined {
  const { promptTokens } = reuse;
  return promptTokens === undefined ? undefined : { promptTokens, ...heldUsage(reuse) };
}
