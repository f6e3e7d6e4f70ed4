import * as v from 'valibot';
import { contextOverflow, invalidRequest } from '../../core/protocol/errors.ts';
import type { GenerateEvent } from '../../core/protocol/events.ts';
import type { GenerateJob, Sampling } from '../../core/protocol/jobs.ts';
import { opensThinking } from './reasoning-splitter.ts';
import { reasoningMarks, type ReasoningMarks } from '../../core/stores/template-features.ts';
import { type ReadFile, readJson } from '../weights/read-file.ts';
import { chatTemplate } from './chat-template.ts';
import { OutputParser, type ParsedEvent } from './output-parser.ts';
import { Continuation } from './continuation.ts';
import type { KvReuse } from '../webllm/kv-conversation.ts';
import { chatConfigSchema, mlcTemplate, type ChatConfig } from '../webllm/mlc-template.ts';
import { responseFormat } from './response-format.ts';
import { advanced, generatorState, randomSeed } from '../webllm/seed.ts';
import { TokenAligner } from './token-aligner.ts';
import { templateTools, type TemplateTools } from './tools/template-tools.ts';
import { callMarks, toolUse, type ToolUse } from './tools/tool-use.ts';
import { readTokenizerFacts, type TokenizerFacts } from './tokenizer-files.ts';
import { Vocabulary } from './vocabulary.ts';
import type { LoadOptions, WebLlm } from '../webllm/webllm.ts';

/** No vocabulary has longer tokens: runs of white space are the longest, up to 128. */
const MOST_CHARACTERS_PER_TOKEN = 128;

const objectSchema = v.record(v.string(), v.unknown());

interface Template extends TemplateTools {
  /** What the model thinks between, if it does. */
  marks: ReasoningMarks | undefined;
  /** Ids of the tokens that were added to the vocabulary, by text. */
  tokenIds: ReadonlyMap<string, number>;
}

/** A job as the model is asked it. */
interface Prepared {
  use: ToolUse;
  prompt: string;
}

/** A loaded model's facts that its answers depend on. */
interface Facts {
  /** Tokens. */
  contextLength: number;
  /** Tokens; undefined where the model's configuration does not say it. */
  vocabularySize: number | undefined;
  /** What the model's own configuration samples with. */
  sampling: Sampling & { temperature: number };
}

/** A model that WebLLM has in GPU memory, and what it takes to speak with it. */
export class ChatModel {
  readonly #webllm: WebLlm;
  readonly #template: Template;
  readonly #facts: Facts;
  readonly #read: ReadFile;
  /** Read when logprobs are first asked for: it takes memory, and most never ask. */
  #vocabulary: Promise<Vocabulary> | undefined;
  /** Of jobs that wait: rendering takes a while. */
  readonly #prepared = new WeakMap<GenerateJob, Prepared>();

  private constructor(webllm: WebLlm, read: ReadFile, template: Template, facts: Facts) {
    this.#webllm = webllm;
    this.#read = read;
    this.#template = template;
    this.#facts = facts;
  }

  /** @param read - gives the model's files */
  static async load(
    webllm: WebLlm,
    read: ReadFile,
    options: Pick<LoadOptions, 'modelLibrary' | 'overrides' | 'needsF16' | 'mayTake'>,
    onProgress: (done: number, text: string) => void,
  ): Promise<ChatModel> {
    const file = v.parse(objectSchema, await readJson(read, 'mlc-chat-config.json'));
    const config = v.parse(chatConfigSchema, { ...file, ...options.overrides });
    const facts = await readTokenizerFacts(read);
    const source = facts.chatTemplate;
    const stops = stopTokenIds(config, facts);
    const render = source ? chatTemplate(source, facts) : mlcTemplate(config, facts.controlTokens);
    const template: Template = {
      ...templateTools(render),
      marks: source ? reasoningMarks(source) : undefined,
      tokenIds: facts.tokenIds,
    };
    await webllm.load(
      {
        ...options,
        stopTokenIds: stops,
        controlTokenIds: controlTokenIds(facts, stops, writtenMarks(template)),
        // A Jinja template writes the first token itself.
        prefixTokenIds: source ? null : (config.conv_template.system_prefix_token_ids ?? null),
      },
      onProgress,
    );
    return new ChatModel(webllm, read, template, {
      contextLength: config.context_window_size,
      vocabularySize: config.vocab_size,
      sampling: defaultSampling(config),
    });
  }

  /** What its KV caches hold. */
  get kv(): KvReuse {
    return this.#webllm.kv;
  }

  /** Whether most of the job's prompt is in a KV cache already. */
  isWarm(job: GenerateJob): boolean {
    try {
      return this.kv.isWarm(this.#prepare(job).prompt);
    } catch {
      // What is wrong with it is said in its turn.
      return false;
    }
  }

  /** Generates the job's answers, one after the other. */
  async *generate(
    job: GenerateJob,
    signal: AbortSignal,
  ): AsyncGenerator<GenerateEvent, void, undefined> {
    const { use, prompt } = this.#prepare(job);
    this.#refuseHopeless(prompt, promptParam(job));
    this.#refuseUnknownTokens(job.sampling);
    for (let choice = 0; choice < (job.choices ?? 1); choice++) {
      yield* this.#answer(job, use, prompt, choice, signal);
    }
  }

  /** One answer, parted into what the model thinks and what it says. */
  async *#answer(
    job: GenerateJob,
    use: ToolUse,
    prompt: string,
    choice: number,
    signal: AbortSignal,
  ): AsyncGenerator<GenerateEvent, void, undefined> {
    const format = this.#responseFormat(job, use, prompt);
    const sampling = this.#sampling(use, choice);
    const continued = new Continuation(job, sampling, format === undefined);
    const marks = job.prompt.kind === 'chat' ? this.#template.marks : undefined;
    const parser = new OutputParser(job.stop, marks, prompt, use.newParser?.());
    const aligner = await this.#aligner(job);
    const events = (parsed: ParsedEvent[]) => aligner?.align(parsed) ?? parsed.map(withoutPlace);
    const generation = {
      promptParam: promptParam(job),
      sampling: { ...sampling, seed: advanced(sampling.seed, continued.tokens) },
      maxTokens: job.maxTokens && job.maxTokens - continued.tokens,
      format,
      formatParam: use.newParser ? 'tools' : 'response_format',
      topLogprobs: job.topLogprobs,
    };
    if (continued.tokens > 0) yield { type: 'start' };
    for (const { checkpoint, text } of continued.past()) {
      yield* checkpoint;
      yield* events(parser.push(text));
    }
    const whole = prompt + continued.text;
    for await (const event of this.#webllm.generate(whole, generation, signal)) {
      if (event.type === 'text') {
        if (parser.output === '') yield { type: 'start' };
        const wasStopped = parser.stopped;
        yield* continued.checkpoint(event.text, event.count);
        aligner?.push(event.tokens);
        yield* events(parser.push(event.text));
        if (parser.stopped && !wasStopped) this.#webllm.interrupt();
      } else {
        yield* events(parser.flush());
        yield* aligner?.finish() ?? [];
        const usage = { ...continued.usage(event.usage), ...parser.usage };
        yield { type: 'finish', reason: parser.finishReason(event.reason), usage };
      }
    }
  }

  /**
   * WebLLM counts the tokens of a prompt before it reads it, but runs out of stack or memory over one
   * that is a thousand times too long.
   */
  #refuseHopeless(prompt: string, param: string): void {
    const { contextLength } = this.#facts;
    if (prompt.length <= contextLength * MOST_CHARACTERS_PER_TOKEN) return;
    throw contextOverflow(
      `${contextLength} tokens; the prompt has ${prompt.length} characters`,
      param,
    );
  }

  /** What WebLLM would write to for them is another token's logit, or nothing at all. */
  #refuseUnknownTokens({ logitBias = {} }: Sampling): void {
    const { vocabularySize = Infinity } = this.#facts;
    const unknown = Object.keys(logitBias).find((id) => Number(id) >= vocabularySize);
    if (unknown === undefined) return;
    const param = `logit_bias.${unknown}`;
    throw invalidRequest(
      `'${param}': the ids of this model's tokens end at ${vocabularySize - 1}.`,
      param,
    );
  }

  #sampling({ sampling }: ToolUse, choice: number) {
    const seed = generatorState(sampling.seed ?? randomSeed(), choice);
    return { ...this.#facts.sampling, ...sampling, seed };
  }

  async #aligner({ topLogprobs }: GenerateJob): Promise<TokenAligner | undefined> {
    if (topLogprobs === undefined) return undefined;
    this.#vocabulary ??= Vocabulary.read(this.#read);
    return new TokenAligner(await this.#vocabulary);
  }

  #responseFormat({ prompt: asked }: GenerateJob, { grammar }: ToolUse, prompt: string) {
    if (grammar === undefined) return undefined;
    // Where the template was told to leave thinking out, the grammar leaves it out as well.
    const thinks = asked.kind === 'chat' && asked.templateOptions['enable_thinking'] !== false;
    const marks = thinks ? this.#template.marks : undefined;
    return responseFormat(grammar, marks && { marks, opened: opensThinking(prompt, marks) });
  }

  #prepare(job: GenerateJob): Prepared {
    const known = this.#prepared.get(job);
    if (known) return known;
    const use = toolUse(job, this.#template.family, this.#template.tokenIds);
    const prepared = { use, prompt: this.#promptText(job, use) };
    this.#prepared.set(job, prepared);
    return prepared;
  }

  #promptText({ prompt }: GenerateJob, { tools }: ToolUse): string {
    return prompt.kind === 'raw'
      ? prompt.text
      : this.#template.render(prompt.messages, prompt.templateOptions, tools);
  }
}

const DEFAULT_TEMPERATURE = 1;

function defaultSampling(config: ChatConfig): Facts['sampling'] {
  const { top_p, frequency_penalty, presence_penalty, repetition_penalty } = config;
  return {
    temperature: config.temperature ?? DEFAULT_TEMPERATURE,
    ...(top_p != null && { topP: top_p }),
    ...(frequency_penalty != null && { frequencyPenalty: frequency_penalty }),
    ...(presence_penalty != null && { presencePenalty: presence_penalty }),
    ...(repetition_penalty != null && { repetitionPenalty: repetition_penalty }),
  };
}

function promptParam({ prompt }: GenerateJob): string {
  return prompt.kind === 'chat' ? 'messages' : 'prompt';
}

function withoutPlace(event: ParsedEvent): GenerateEvent {
  return event.type === 'text' ? { type: 'text', text: event.text } : event;
}

/** What a model writes around its thoughts and calls: control tokens may be among it. */
function writtenMarks({ family, marks }: Template): string[] {
  return [...callMarks(family), ...(marks ? [marks.open, marks.close] : [])];
}

/** Of the control tokens that neither end a turn nor are marks that the model is to write. */
function controlTokenIds(
  { controlTokens, tokenIds }: TokenizerFacts,
  stops: number[],
  marks: readonly string[],
): number[] {
  return controlTokens
    .filter((text) => !marks.includes(text))
    .map((text) => tokenIds.get(text))
    .filter((id) => id !== undefined)
    .filter((id) => !stops.includes(id));
}

/** Every token that ends a turn: WebLLM knows some by id, some by text. */
function stopTokenIds(
  { conv_template: conv, eos_token_id }: ChatConfig,
  facts: TokenizerFacts,
): number[] {
  const byText = [...conv.stop_str, facts.eosToken].map((text) => facts.tokenIds.get(text));
  const ids = [...conv.stop_token_ids, ...[eos_token_id ?? []].flat(), ...byText];
  return [...new Set(ids.filter((id) => id !== undefined))];
}
