import {
  MLCEngine,
  type ChatCompletionMessageParam,
  type ChatCompletionRequestStreaming,
  type ChatOptions,
  type LogitProcessor,
} from '@mlc-ai/web-llm';
import type { Sampling, Usage } from '../../core/protocol/engine.ts';
import { MODEL_URL } from './cache-shim.ts';
import type { Generation, RawEvent } from '../text/text-model.ts';
import { GpuDevices } from './gpu-devices.ts';
import {
  KvConversation,
  type AnswerEnd,
  type KvReuse,
  type PromptPlan,
} from './kv-conversation.ts';
import type { ResponseFormat } from '../text/response-format.ts';
import { needsSampler, Sampler, type SampledToken } from '../text/sampler.ts';
import { WarmKv } from './warm-kv.ts';
import { generateError, loadError } from './errors.ts';
import { PipelineAccess } from './pipeline-access.ts';

/** What WebLLM needs to load a model whose files the cache shim serves. */
export interface LoadOptions {
  /** Path of the model library among the model's files. */
  modelLibrary: string;
  overrides: Record<string, unknown>;
  /** Ids of all tokens that end the model's turn. */
  stopTokenIds: number[];
  /** Ids of the tokenizer's control tokens: under a grammar, none but those that end the turn. */
  controlTokenIds: number[];
  /** Ids that WebLLM puts before a first prompt: only for models whose template cannot say it. */
  prefixTokenIds: number[] | null;
  /** Whether the GPU must have `shader-f16`. */
  needsF16: boolean;
  /** Whether the model may take so much memory more, bytes. */
  mayTake: (bytes: number) => Promise<boolean>;
}

const MODEL_ID = 'model';
/** As little as WebLLM takes: what a model is taught to write by itself is not that certain. */
const NEVER = -100;
/** Bias and penalties that change nothing. */
const APPLIED: Sampling = {
  logitBias: {},
  frequencyPenalty: 0,
  presencePenalty: 0,
  repetitionPenalty: 1,
};

/** WebLLM with one model, on a GPU device of its own: prompts are ready-made text, answers raw text. */
export class WebLlm {
  readonly #devices: GpuDevices;
  /** At work in one generation; undefined when it needs none. */
  #sampler: Sampler | undefined;
  readonly #processor: LogitProcessor = {
    processLogits: (logits) => this.#sampler?.processLogits(logits) ?? logits,
    processSampledToken: (token) => this.#sampler?.processSampledToken(token),
    resetState: () => undefined,
  };
  readonly #engine = new MLCEngine({
    logLevel: 'WARN',
    logitProcessorRegistry: new Map([[MODEL_ID, this.#processor]]),
  });
  #pipeline: PipelineAccess | undefined;
  #reuse: KvReuse = new KvConversation();
  #isMasked = false;
  #stopTokenIds: number[] = [];
  #controlTokenIds: number[] = [];

  /** @param devices - those of this realm, if anybody watches them */
  constructor(devices = new GpuDevices()) {
    this.#devices = devices;
  }

  /** @param onProgress - gets the part done, 0 to 1, and what is being done */
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
    this.#controlTokenIds = options.controlTokenIds;
    this.#pipeline = new PipelineAccess(this.#engine, MODEL_ID, {
      wanted: () => this.#isMasked && (this.#sampler?.wantsRaw ?? false),
      observe: (logits) => this.#sampler?.observe(logits),
    });
    const { kvCaches } = this.#pipeline;
    this.#reuse = kvCaches ? new WarmKv(kvCaches, options) : new KvConversation();
  }

  /** Ends the running generation within one token; its events go on to their end. */
  interrupt(): void {
    void this.#engine.interruptGenerate();
  }

  /** What its KV caches hold. */
  get kv(): KvReuse {
    return this.#reuse;
  }

  /** Frees all its GPU memory: its device goes with it. Nothing can be asked of it any more. */
  unload(): Promise<void> {
    this.#pipeline = undefined;
    this.#reuse = new KvConversation();
    return this.#engine.unload();
  }

  /**
   * Generates until the model ends its turn or `maxTokens` are reached. An abort of the signal takes
   * effect within one token.
   *
   * @throws ApiError 400 context_length_exceeded when the prompt does not fit, invalid_json_schema when
   *   the format's grammar does not compile
   */
  async *generate(
    prompt: string,
    generation: Generation,
    signal: AbortSignal,
  ): AsyncGenerator<RawEvent, void, undefined> {
    const sampler = this.#prepareSampler(generation);
    const reuse = this.#reuse;
    const request = this.#request(reuse.begin(prompt), generation);
    let output = '';
    let reason: string | undefined;
    let answer: AnswerEnd | undefined;
    let isBroken = false;
    try {
      for await (const chunk of await this.#engine.chat.completions.create(request)) {
        // Leaving the loop ends WebLLM's generator, which stops the generation and frees its lock.
        signal.throwIfAborted();
        const [choice] = chunk.choices;
        const text = choice?.delta.content;
        const count = this.#pipeline?.writtenTokens;
        output += text ?? '';
        reason = choice?.finish_reason ?? reason;
        if (text) yield { type: 'text', text, tokens: this.#takeTokens(sampler), count };
        if (!chunk.usage) continue;
        const usage = wholeUsage(reuse.cachedTokens, chunk.usage);
        if (reason === 'stop')
          answer = { output, tokens: usage.promptTokens + usage.completionTokens };
        yield { type: 'finish', reason: reason === 'length' ? 'length' : 'stop', usage };
      }
    } catch (error) {
      isBroken = error !== signal.reason;
      signal.throwIfAborted();
      throw generateError(error, generation);
    } finally {
      reuse.end(answer, isBroken);
    }
  }

  #prepareSampler(generation: Generation): Sampler | undefined {
    const { sampling, format, topLogprobs } = generation;
    const options = { sampling: this.#biased(sampling, format), topLogprobs };
    this.#sampler = needsSampler(options) ? new Sampler(options) : undefined;
    this.#isMasked = format !== undefined;
    this.#pipeline?.setLogitProcessor(this.#sampler && this.#processor);
    return this.#sampler;
  }

  #request(plan: PromptPlan, generation: Generation): ChatCompletionRequestStreaming {
    const { sampling, maxTokens, format } = generation;
    // What the sampler applies is not to be applied again.
    const left = this.#sampler ? { ...sampling, ...APPLIED } : this.#biased(sampling, format);
    return {
      ...streamRequest(plan, left, maxTokens),
      ...(format && { response_format: format }),
    };
  }

  /** To a grammar a control token is the text that spells it, good inside any string. */
  #biased<S extends Sampling>(sampling: S, format: ResponseFormat | undefined): S {
    if (!format || this.#controlTokenIds.length === 0) return sampling;
    const masked = Object.fromEntries(this.#controlTokenIds.map((id) => [id, NEVER]));
    return { ...sampling, logitBias: { ...sampling.logitBias, ...masked } };
  }

  /** Less the token that ends the turn, which is no part of the text. */
  #takeTokens(sampler: Sampler | undefined): SampledToken[] {
    const tokens = sampler?.takeSampled() ?? [];
    return tokens.filter(({ id }) => !this.#stopTokenIds.includes(id));
  }
}

/**
 * Makes WebLLM's conversation add nothing to a prompt: it prefills exactly the text it is given. No
 * role_templates: they go through String.replace, which mangles "$&".
 */
function passThrough(options: LoadOptions): ChatOptions {
  return {
    ...options.overrides,
    conv_template: {
      system_template: '{system_message}',
      system_message: '',
      render_empty_system_message: false,
      roles: { user: '', assistant: '', tool: '' },
      seps: [''],
      role_content_sep: '',
      role_empty_sep: '',
      stop_str: [],
      stop_token_ids: options.stopTokenIds,
      ...(options.prefixTokenIds && { system_prefix_token_ids: options.prefixTokenIds }),
    },
  };
}

function streamRequest(
  plan: PromptPlan,
  sampling: Sampling,
  maxTokens: number | undefined,
): ChatCompletionRequestStreaming {
  const { logitBias = {} } = sampling;
  const messages = plan.turns.flatMap((turn): ChatCompletionMessageParam[] => [
    { role: 'user', content: turn.prompt },
    { role: 'assistant', content: turn.output },
  ]);
  return {
    messages: [...messages, { role: 'user', content: plan.prompt }],
    stream: true,
    stream_options: { include_usage: true },
    max_tokens: maxTokens ?? null,
    temperature: sampling.temperature ?? null,
    // WebLLM refuses 0, which means the same as "only the likeliest token".
    top_p: sampling.topP === 0 ? Number.EPSILON : (sampling.topP ?? null),
    frequency_penalty: sampling.frequencyPenalty ?? null,
    presence_penalty: sampling.presencePenalty ?? null,
    repetition_penalty: sampling.repetitionPenalty ?? null,
    logit_bias: Object.keys(logitBias).length > 0 ? logitBias : null,
    seed: sampling.seed ?? null,
  };
}

/** WebLLM counts only what it prefilled now. */
function wholeUsage(
  cachedTokens: number,
  usage: { prompt_tokens: number; completion_tokens: number },
): Usage {
  return {
    promptTokens: cachedTokens + usage.prompt_tokens,
    completionTokens: usage.completion_tokens,
    cachedTokens,
  };
}
