import * as v from 'valibot';
import { serverError } from '../core/errors.ts';
import type { GenerateJob, JobEvent, Prompt } from '../core/engine.ts';
import { StopFilter } from '../core/stop-filter.ts';
import type { ReadFile } from './cache-shim.ts';
import { chatTemplate, type RenderChat } from './chat-template.ts';
import { KvConversation } from './kv-conversation.ts';
import { chatConfigSchema, mlcTemplate, type ChatConfig } from './mlc-template.ts';
import { tokenizerFacts, type TokenizerFacts } from './tokenizer-files.ts';
import type { LoadOptions, WebLlm } from './webllm.ts';

/** A model that WebLLM has in GPU memory, and what it takes to speak with it. */
export class ChatModel {
  readonly #webllm: WebLlm;
  readonly #render: RenderChat;
  readonly #conversation = new KvConversation();

  private constructor(webllm: WebLlm, render: RenderChat) {
    this.#webllm = webllm;
    this.#render = render;
  }

  /** @param read - gives the model's files */
  static async load(
    webllm: WebLlm,
    read: ReadFile,
    options: Pick<LoadOptions, 'modelLibrary' | 'overrides' | 'needsF16'>,
    onProgress: (done: number, text: string) => void,
  ): Promise<ChatModel> {
    const config = v.parse(chatConfigSchema, await readJson(read, 'mlc-chat-config.json'));
    const facts = await readFacts(read);
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
    return new ChatModel(webllm, source ? chatTemplate(source, facts) : mlcTemplate(config));
  }

  /** Generates one answer; stop strings are cut here, for WebLLM leaks their beginnings. */
  async *generate(
    job: GenerateJob,
    signal: AbortSignal,
  ): AsyncGenerator<JobEvent, void, undefined> {
    const plan = this.#conversation.plan(this.#promptText(job.prompt));
    // Until the model has ended its turn by itself, the KV cache is something in between.
    this.#conversation.forget();
    const stop = new StopFilter(job.stop);
    let output = '';
    for await (const event of this.#webllm.generate(plan, job.sampling, job.maxTokens, signal)) {
      if (event.type === 'text') {
        if (output === '') yield { type: 'start' };
        output += event.text;
        const wasStopped = stop.stopped;
        yield* textEvents(stop.push(event.text));
        if (stop.stopped && !wasStopped) this.#webllm.interrupt();
      } else {
        yield* textEvents(stop.flush());
        const { promptTokens, completionTokens } = event.usage;
        const ended = event.reason === 'stop' && !stop.stopped;
        // The end token was sampled and counted, but is not in the KV cache.
        if (ended) this.#conversation.remember(plan, output, promptTokens + completionTokens - 1);
        yield stop.stopped ? { ...event, reason: 'stop' } : event;
      }
    }
  }

  #promptText(prompt: Prompt): string {
    return prompt.kind === 'raw'
      ? prompt.text
      : this.#render(prompt.messages, prompt.templateOptions);
  }
}

function* textEvents(text: string): Generator<JobEvent, void, undefined> {
  if (text !== '') yield { type: 'text', text };
}

async function readFacts(read: ReadFile): Promise<TokenizerFacts> {
  const tokenizer = (await read('tokenizer.json')) ? await readJson(read, 'tokenizer.json') : {};
  const config = (await read('tokenizer_config.json'))
    ? await readJson(read, 'tokenizer_config.json')
    : {};
  const template = await read('chat_template.jinja');
  return tokenizerFacts(tokenizer, config, await template?.text());
}

async function readJson(read: ReadFile, path: string): Promise<unknown> {
  const file = await read(path);
  if (!file) throw serverError('engine_error', `The model has no file ${path}.`);
  return JSON.parse(await file.text()) as unknown;
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
