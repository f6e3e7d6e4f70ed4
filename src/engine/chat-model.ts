import * as v from 'valibot';
import { contextOverflow } from '../core/errors.ts';
import type { GenerateJob, JobEvent, Prompt } from '../core/engine.ts';
import { opensThinking, reasoningMarks, type ReasoningMarks } from '../core/reasoning-splitter.ts';
import type { ReadFile } from './cache-shim.ts';
import { chatTemplate, type RenderChat } from './chat-template.ts';
import { OutputParser } from './output-parser.ts';
import { KvConversation, type PromptPlan } from './kv-conversation.ts';
import { chatConfigSchema, mlcTemplate, type ChatConfig } from './mlc-template.ts';
import { responseFormat } from './response-format.ts';
import { readJson, readTokenizerFacts, type TokenizerFacts } from './tokenizer-files.ts';
import type { LoadOptions, RawFinish, WebLlm } from './webllm.ts';

/** No vocabulary has longer tokens: runs of white space are the longest, up to 128. */
const MOST_CHARACTERS_PER_TOKEN = 128;

interface Template {
  render: RenderChat;
  /** What the model thinks between, if it does. */
  marks: ReasoningMarks | undefined;
}

/** A model that WebLLM has in GPU memory, and what it takes to speak with it. */
export class ChatModel {
  readonly #webllm: WebLlm;
  readonly #render: RenderChat;
  readonly #conversation = new KvConversation();
  readonly #marks: ReasoningMarks | undefined;
  /** Tokens. */
  readonly #contextLength: number;

  private constructor(webllm: WebLlm, template: Template, contextLength: number) {
    this.#webllm = webllm;
    this.#render = template.render;
    this.#marks = template.marks;
    this.#contextLength = contextLength;
  }

  /** @param read - gives the model's files */
  static async load(
    webllm: WebLlm,
    read: ReadFile,
    options: Pick<LoadOptions, 'modelLibrary' | 'overrides' | 'needsF16'>,
    onProgress: (done: number, text: string) => void,
  ): Promise<ChatModel> {
    const config = v.parse(chatConfigSchema, await readJson(read, 'mlc-chat-config.json'));
    const facts = await readTokenizerFacts(read);
    const source = facts.chatTemplate;
    await webllm.load(
      {
        ...options,
        stopTokenIds: stopTokenIds(config, facts),
        // A Jinja template writes the first token itself.
        prefixTokenIds: source ? null : (config.conv_template.system_prefix_token_ids ?? null),
      },
      onProgress,
    );
    const template = source
      ? { render: chatTemplate(source, facts), marks: reasoningMarks(source) }
      : { render: mlcTemplate(config, facts.controlTokens), marks: undefined };
    return new ChatModel(webllm, template, contextWindow(config, options.overrides));
  }

  /** Generates one answer, parted into what the model thinks and what it says. */
  async *generate(
    job: GenerateJob,
    signal: AbortSignal,
  ): AsyncGenerator<JobEvent, void, undefined> {
    const prompt = this.#promptText(job.prompt);
    this.#refuseHopeless(prompt);
    const plan = this.#conversation.plan(prompt);
    // Until the model has ended its turn by itself, the KV cache is something in between.
    this.#conversation.forget();
    const parser = new OutputParser(
      job.stop,
      job.prompt.kind === 'chat' ? this.#marks : undefined,
      prompt,
    );
    const { sampling, maxTokens } = job;
    const format = this.#responseFormat(job, prompt);
    for await (const event of this.#webllm.generate(plan, sampling, maxTokens, signal, format)) {
      if (event.type === 'text') {
        if (parser.output === '') yield { type: 'start' };
        const wasStopped = parser.stopped;
        yield* parser.push(event.text);
        if (parser.stopped && !wasStopped) this.#webllm.interrupt();
      } else {
        yield* parser.flush();
        this.#remember(plan, parser, event);
        const usage = { ...event.usage, ...parser.usage };
        yield { type: 'finish', reason: parser.stopped ? 'stop' : event.reason, usage };
      }
    }
  }

  /**
   * WebLLM counts the tokens of a prompt before it reads it, but runs out of stack or memory over one
   * that is a thousand times too long.
   */
  #refuseHopeless(prompt: string): void {
    if (prompt.length <= this.#contextLength * MOST_CHARACTERS_PER_TOKEN) return;
    throw contextOverflow(
      `${this.#contextLength} tokens; the prompt has ${prompt.length} characters`,
    );
  }

  #responseFormat({ grammar, prompt: { kind } }: GenerateJob, prompt: string) {
    if (grammar === undefined) return undefined;
    const marks = kind === 'chat' ? this.#marks : undefined;
    return responseFormat(grammar, marks && { marks, opened: opensThinking(prompt, marks) });
  }

  #remember(plan: PromptPlan, { output, stopped }: OutputParser, event: RawFinish): void {
    const { promptTokens, completionTokens } = event.usage;
    if (event.reason !== 'stop' || stopped) return;
    // The end token was sampled and counted, but is not in the KV cache.
    this.#conversation.remember(plan, output, promptTokens + completionTokens - 1);
  }

  #promptText(prompt: Prompt): string {
    return prompt.kind === 'raw'
      ? prompt.text
      : this.#render(prompt.messages, prompt.templateOptions);
  }
}

/** Tokens. */
function contextWindow(config: ChatConfig, overrides: Record<string, unknown>): number {
  const { context_window_size: size } = overrides;
  return typeof size === 'number' ? size : config.context_window_size;
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
