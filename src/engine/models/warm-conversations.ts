import type { Caching } from '../conversation/text-model.ts';
import { commonLength } from '../../core/text/common-length.ts';

/** Where a prefill begins. */
export interface PrefillStart {
  /** Index of the KV cache to use; if it equals the number of caches, one has to be made. */
  cache: number;
  /** The whole prompt. */
  tokens: readonly number[];
  /** How many of these tokens the cache keeps; it is truncated to them. Always fewer than all. */
  kept: number;
  /** Index of the KV cache to copy into this one first; undefined: none. */
  copyOf?: number;
}

/** What was written after a prompt. */
export interface Written {
  /** Tokens of prompt and output, as far as the cache holds them. */
  tokens: readonly number[];
  /** The raw output, if the model itself ended its turn and all of it is in the cache. */
  output: string | undefined;
}

/** What a KV cache holds. */
interface Held {
  tokens: readonly number[];
  /** Tokens up to the end of the last message, in the first and in the last prompt. */
  told: { first: number; last: number };
  /** Text of the prompts and outputs, up to the last entry of `ends` or the last prompt. */
  text: string;
  /** Where answers end, if the model itself ended them. */
  ends: readonly End[];
  /** Client and key of the request that used it last. */
  group: string | undefined;
  /** The only request that may use it; undefined: all may. */
  request: number | undefined;
  /** Grows with each use. */
  usedAt: number;
}

interface End {
  characters: number;
  tokens: number;
}

/** How a prompt could use a cache. */
interface Fit extends PrefillStart {
  /** Whether the prompt belongs to the conversation in the cache. */
  isSame: boolean;
  /** Whether the cache holds a beginning of the prompt, and nothing else: its reading was interrupted. */
  isBegun?: boolean;
}

export interface WarmOptions {
  /** Tokens. */
  contextLength: number;
  /** Ids of the tokens that end a message. */
  stopTokenIds: readonly number[];
  encode(text: string): readonly number[];
  /** Whether one cache can be copied into another; default: no. */
  canCopy?: boolean;
  /** Whether a cache can be truncated; default: yes. */
  canCut?: boolean;
  /** Whether an answer uses a cache: it can be copied, but not be chosen. Default: none does. */
  isBusy?(cache: number): boolean;
}

/** Tokens. A copy that saves less than this is not worth its time. */
const WORTH_A_COPY = 16;

const EMPTY: Held = {
  tokens: [],
  told: { first: 0, last: 0 },
  text: '',
  ends: [],
  group: undefined,
  request: undefined,
  usedAt: 0,
};

/**
 * Tracks what each of several KV caches holds, and chooses one for each prompt. A prompt that
 * continues a conversation, repeats its last question or changes its last messages takes that
 * conversation's cache, truncated to the common beginning. Any other prompt is a new conversation: it
 * takes a cache that holds only a beginning of this prompt, else an unused cache, else the least recently
 * used one. If another conversation begins alike and the engine can copy caches, its cache is copied first.
 */
export class WarmConversations {
  readonly #options: WarmOptions;
  #held: Held[] = [];
  #count: number;
  #uses = 0;

  /** @param count - how many caches there may be */
  constructor(count: number, options: WarmOptions) {
    this.#count = count;
    this.#options = options;
  }

  /** @returns indices of the caches to remove; later caches move up */
  limit(count: number): number[] {
    this.#count = count;
    const byUse = [...this.#held.keys()].sort((a, b) => this.#use(b) - this.#use(a));
    const gone = new Set(byUse.slice(count));
    this.#held = this.#held.filter((_, cache) => !gone.has(cache));
    return [...gone].sort((a, b) => a - b);
  }

  /**
   * Chooses the cache for a prompt. Until `remember` or `forget`, the cache counts as holding only
   * the kept tokens.
   *
   * @param tokens - of the whole prompt
   * @param shared - characters that the next prompts begin with, too; undefined: they continue this one
   */
  start(
    prompt: string,
    tokens: readonly number[],
    shared?: number,
    caching?: Caching,
  ): PrefillStart {
    const group = groupOf(caching);
    const isPreferred = ({ cache }: Fit) => this.#held[cache]?.group === group;
    const all = this.#held.map((held, cache) => this.#fit(prompt, tokens, held, cache));
    const isFree = ({ cache }: Fit) => this.#options.isBusy?.(cache) !== true;
    const usable = all
      .filter(({ cache }) => this.#held[cache]?.request === caching?.request)
      .sort((a, b) => b.kept - a.kept || Number(isPreferred(b)) - Number(isPreferred(a)));
    const fits = usable.filter(isFree);
    const same = fits.filter(({ isSame }) => isSame);
    const chosen = (group !== undefined && same.find(isPreferred)) || same[0];
    const others = all.filter(isFree);
    const fit =
      chosen ?? this.#branch(usable, begun(fits) ?? this.#new(others, fits, tokens, group));
    const { cache, kept } = fit;
    const held = this.#held[fit.copyOf ?? cache] ?? EMPTY;
    const told = shared === undefined ? this.#toldBy(fit.tokens) : this.#lengthOf(prompt, shared);
    this.#held[cache] = {
      tokens: fit.tokens.slice(0, kept),
      told: { first: fit.isSame ? held.told.first : told, last: told },
      text: prompt,
      ends: held.ends.filter((end) => end.tokens <= kept && isEndIn(prompt, held, end)),
      group,
      request: caching?.request,
      usedAt: ++this.#uses,
    };
    return fit;
  }

  /** Notes that a cache holds more of the prompt that was started last in it. */
  hold(cache: number, tokens: readonly number[]): void {
    const held = this.#held[cache];
    if (held) this.#held[cache] = { ...held, tokens };
  }

  remember(cache: number, { tokens, output }: Written): void {
    const held = this.#held[cache];
    if (!held) return;
    const text = held.text + (output ?? '');
    const end = { characters: text.length, tokens: tokens.length };
    this.#held[cache] = { ...held, tokens, text, ends: output ? [...held.ends, end] : held.ends };
  }

  forget(cache: number): void {
    if (this.#held[cache]) this.#held[cache] = EMPTY;
  }

  /** Forgets what only this request may use. @returns the indices of its caches */
  forgetRequest(request: number): number[] {
    const own = [...this.#held.keys()].filter((cache) => this.#held[cache]?.request === request);
    for (const cache of own) this.forget(cache);
    return own;
  }

  /** Whether a cache holds most of the prompt, judged by the text. */
  isWarm(prompt: string): boolean {
    return isWarm(this.texts, prompt);
  }

  /** The text that each cache holds that is shared. */
  get texts(): string[] {
    return this.#held.map(({ text, request }) => (request === undefined ? text : ''));
  }

  /** The tokens that any cache holds. */
  get tokens(): number[] {
    return this.#held.flatMap(({ tokens }) => [...tokens]);
  }

  #use(cache: number): number {
    return this.#held[cache]?.usedAt ?? 0;
  }

  #fit(prompt: string, asRead: readonly number[], held: Held, cache: number): Fit {
    const tokens = this.#asWritten(prompt, asRead, held);
    const common = Math.min(commonLength(tokens, held.tokens), tokens.length - 1);
    const isWhole = common === held.tokens.length;
    const kept = isWhole || this.#options.canCut !== false ? common : 0;
    const lost = held.tokens.length - kept;
    // If more than the last answer is lost, most of the conversation has to stay.
    const isSame =
      held.usedAt > 0 && kept >= held.told.first && (kept >= held.told.last || kept >= lost);
    const isBegun = held.usedAt > 0 && kept > 0 && lost === 0;
    return { cache, tokens, kept, isSame, isBegun };
  }

  /**
   * @param all - those that are not busy
   * @param usable - those of all that the prompt may use
   * @param group - its caches are kept rather than others; undefined: none are
   */
  #new(
    all: readonly Fit[],
    usable: readonly Fit[],
    tokens: readonly number[],
    group: string | undefined,
  ): Fit {
    const unused = this.#held.findIndex(({ usedAt }) => usedAt === 0);
    const cache = unused < 0 ? this.#held.length : unused;
    if (cache < this.#count) return { cache, tokens, kept: 0, isSame: false };
    const isOwn = (fit: Fit) => group !== undefined && this.#held[fit.cache]?.group === group;
    const byUse = all.toSorted((a, b) => this.#use(a.cache) - this.#use(b.cache));
    const oldest = byUse.find((fit) => !isOwn(fit)) ?? byUse[0];
    if (oldest && usable.includes(oldest)) return oldest;
    return { cache: oldest?.cache ?? 0, tokens, kept: 0, isSame: false };
  }

  /** A new conversation may begin like another one, e.g. with the same system prompt. */
  #branch(fits: readonly Fit[], fit: Fit): Fit {
    if (!this.#options.canCopy) return fit;
    const [best] = fits.toSorted((a, b) => b.kept - a.kept);
    if (!best || best.kept < fit.kept + WORTH_A_COPY) return fit;
    return { ...best, cache: fit.cache, copyOf: best.cache, isSame: false };
  }

  /**
   * The tokens that the model wrote may differ from the tokens of its text. If the prompt continues the
   * text, this uses the tokens in the cache, which are just as good.
   */
  #asWritten(prompt: string, tokens: readonly number[], held: Held): readonly number[] {
    const read = commonLength(tokens, held.tokens);
    const ends = held.ends.filter((end) => end.tokens > read && isEndIn(prompt, held, end));
    for (const end of ends.toReversed()) {
      const rest = this.#options.encode(prompt.slice(end.characters));
      const whole = [...held.tokens.slice(0, end.tokens), ...rest];
      if (endsWith(tokens, rest) && whole.length <= this.#options.contextLength) return whole;
    }
    return tokens;
  }

  /** The tokens of a beginning. The last one may be another one in the whole text. */
  #lengthOf(prompt: string, characters: number): number {
    return Math.max(1, this.#options.encode(prompt.slice(0, characters)).length - 1);
  }

  /** Counts the tokens without the generation prompt, which many templates add and later leave out. */
  #toldBy(tokens: readonly number[]): number {
    const end = tokens.findLastIndex((token) => this.#options.stopTokenIds.includes(token));
    const most = Math.max(1, tokens.length - 1);
    return end < 0 ? most : Math.min(end + 1, most);
  }
}

/** Requests of a client with the same key; undefined: the request has none. */
function groupOf(caching: Caching | undefined): string | undefined {
  return caching?.key === undefined ? undefined : JSON.stringify([caching.client, caching.key]);
}

/** The longest beginning of the prompt that one of the caches holds alone. */
function begun(fits: readonly Fit[]): Fit | undefined {
  const [best] = fits.filter(({ isBegun }) => isBegun).toSorted((a, b) => b.kept - a.kept);
  return best;
}

/** Whether one of these texts begins with most of the prompt. */
export function isWarm(texts: readonly string[], prompt: string): boolean {
  return texts.some((text) => 2 * commonLength(text, prompt) > prompt.length);
}

/** Whether the prompt has the same text up to this end, and continues after it. */
function isEndIn(prompt: string, { text }: Held, { characters }: End): boolean {
  return prompt.length > characters && prompt.startsWith(text.slice(0, characters));
}

function endsWith(tokens: readonly number[], rest: readonly number[]): boolean {
  const start = tokens.length - rest.length;
  return start >= 0 && rest.every((token, place) => token === tokens[start + place]);
}
