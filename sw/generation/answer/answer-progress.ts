import { draftCounts, type Drafts } from '../../../src/core/operations/drafts.ts';
import type {
  GenerateEvent,
  PromptUsage,
  Usage,
} from '../../../src/core/operations/events/events.ts';
import { totalUsage } from './usage.ts';

/** Follows the events of a request's answers, which come one after the other. */
export class AnswerProgress {
  /** How many answers each prompt has. */
  readonly #perPrompt: number;
  readonly #began = performance.now();
  #writingBegan: number | undefined;
  readonly #usages: Usage[] = [];
  #prompt: PromptUsage = { promptTokens: 0, cachedTokens: 0 };
  #tokens = 0;
  /** How many tokens of the prompt have been read, as last reported. */
  #readTokens: number | undefined;

  constructor(perPrompt: number) {
    this.#perPrompt = perPrompt;
  }

  /** The index of the answer that is being written. */
  get index(): number {
    return this.#usages.length;
  }

  take(event: GenerateEvent): void {
    if (event.type === 'queued') return;
    if (event.type === 'reading') {
      this.#prompt = event.prompt;
      this.#readTokens = event.prompt.readTokens;
      return;
    }
    if (event.type !== 'written') this.#writingBegan ??= performance.now();
    if (event.type === 'start') this.#start(event.prompt);
    if ('tokens' in event && event.tokens !== undefined) this.#tokens = event.tokens;
    if (event.type !== 'finish') return;
    this.#usages.push(event.usage);
    this.#prompt = event.usage;
    this.#tokens = 0;
    this.#readTokens = undefined;
  }

  #start(prompt: PromptUsage | undefined): void {
    this.#prompt = prompt ?? this.#prompt;
    if (!this.isRead) this.#readTokens = undefined;
  }

  /** Usage of all answers so far. */
  get usage(): Usage {
    const unfinished = { ...this.#prompt, completionTokens: this.#tokens };
    const isNew = this.#tokens > 0 || this.#usages.length === 0;
    return totalUsage([...this.#usages, ...(isNew ? [unfinished] : [])], this.#perPrompt);
  }

  /** Whether it was reported that the whole prompt has been read. */
  get isRead(): boolean {
    return this.#readTokens === this.#prompt.promptTokens;
  }

  /** How far the prompt has been read, as llama.cpp's server reports it. */
  get promptProgress() {
    const { promptTokens, cachedTokens } = this.#prompt;
    const time_ms = (this.#writingBegan ?? performance.now()) - this.#began;
    const processed = this.#readTokens ?? promptTokens;
    return { total: promptTokens, cache: cachedTokens, processed, time_ms };
  }

  /** How long the answers took so far, as llama.cpp's server reports it. Waiting counts as reading. */
  get timings() {
    const { promptTokens, cachedTokens, completionTokens, drafts } = this.usage;
    const now = performance.now();
    const writingBegan = this.#writingBegan ?? now;
    return {
      cache_n: cachedTokens,
      ...timing('prompt', promptTokens - cachedTokens, writingBegan - this.#began),
      ...timing('predicted', completionTokens, now - writingBegan),
      ...(drafts && draftTimings(drafts)),
    };
  }
}

function timing(name: string, count: number, ms: number) {
  return {
    [`${name}_n`]: count,
    [`${name}_ms`]: ms,
    [`${name}_per_token_ms`]: count > 0 ? ms / count : 0,
    [`${name}_per_second`]: ms > 0 ? (count * 1000) / ms : 0,
  };
}

/** llama.cpp's server names the sum of all drafts; it does not draft what a grammar forces. */
function draftTimings(drafts: Drafts) {
  const [all, forced] = [draftCounts(drafts), draftCounts(drafts, ['forced'])];
  return {
    draft_n: all.drafted,
    draft_n_accepted: all.accepted,
    draft_n_forced: forced.drafted,
    draft_n_forced_accepted: forced.accepted,
  };
}
