/** What a prefill begins with. */
export interface PrefillStart {
  /** Which of the KV caches it uses, from 0; the first that is not there yet is to be made. */
  cache: number;
  /** The whole prompt. */
  tokens: readonly number[];
  /** How many of these tokens the cache holds, and is to be cut to: always less than all. */
  kept: number;
}

/** What was written after a prompt. */
export interface Written {
  /** Of prompt and output, as many as the cache holds of them. */
  tokens: readonly number[];
  /** Everything the model wrote, raw, if it ended its turn by itself and all of it is in the cache. */
  output: string | undefined;
}

/** What a KV cache holds. */
interface Held {
  tokens: readonly number[];
  /** Of the first and the last prompt, the tokens up to the end of their last message. */
  told: { first: number; last: number };
  /** Of the prompts and outputs: all up to the last of the ends, or the last prompt. */
  text: string;
  /** Where answers end that the model ended itself. */
  ends: readonly End[];
  /** Rises with each use. */
  usedAt: number;
}

interface End {
  characters: number;
  tokens: number;
}

/** How a prompt would use a cache. */
interface Fit extends PrefillStart {
  /** Whether it belongs to the conversation that the cache holds. */
  isSame: boolean;
}

export interface WarmOptions {
  /** Tokens. */
  contextLength: number;
  /** Ids of the tokens that end a message. */
  stopTokenIds: readonly number[];
  encode(text: string): readonly number[];
}

const EMPTY: Held = {
  ...{ tokens: [], told: { first: 0, last: 0 }, text: '', ends: [], usedAt: 0 },
};

/**
 * Keeps in mind what each of several KV caches holds, and says which one a prompt is to use. A prompt
 * that goes on from a conversation, asks for its last answer again or changes its last messages takes
 * that conversation's cache, which is cut to what the two have in common. Any other is a new
 * conversation: it takes an unused cache, or the one that was used least recently.
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

  /** @returns the caches that are to go: what they held is forgotten; those after them move up */
  limit(count: number): number[] {
    this.#count = count;
    const byUse = [...this.#held.keys()].sort((a, b) => this.#use(b) - this.#use(a));
    const gone = new Set(byUse.slice(count));
    this.#held = this.#held.filter((_, cache) => !gone.has(cache));
    return [...gone].sort((a, b) => a - b);
  }

  /**
   * Until `remember` or `forget`, the cache counts as holding no more than what is kept.
   *
   * @param tokens - of the whole prompt
   */
  start(prompt: string, tokens: readonly number[]): PrefillStart {
    const fits = this.#held.map((held, cache) => this.#fit(prompt, tokens, held, cache));
    const same = fits.filter(({ isSame }) => isSame).sort((a, b) => b.kept - a.kept);
    const fit = same[0] ?? this.#new(fits, tokens);
    const { cache, kept } = fit;
    const held = this.#held[cache] ?? EMPTY;
    const told = this.#toldBy(fit.tokens);
    this.#held[cache] = {
      tokens: fit.tokens.slice(0, kept),
      told: { first: fit.isSame ? held.told.first : told, last: told },
      text: prompt,
      ends: held.ends.filter((end) => end.tokens <= kept && isEndIn(prompt, held, end)),
      usedAt: ++this.#uses,
    };
    return fit;
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

  /** Whether a cache holds most of the prompt, as far as the text tells. */
  isWarm(prompt: string): boolean {
    return this.#held.some(({ text }) => 2 * commonLength(text, prompt) > prompt.length);
  }

  #use(cache: number): number {
    return this.#held[cache]?.usedAt ?? 0;
  }

  #fit(prompt: string, asRead: readonly number[], held: Held, cache: number): Fit {
    const tokens = this.#asWritten(prompt, asRead, held);
    const kept = Math.min(commonLength(tokens, held.tokens), tokens.length - 1);
    const lost = held.tokens.length - kept;
    // Most of it has to stay, where more is lost than the last answer.
    const isSame =
      held.usedAt > 0 && kept >= held.told.first && (kept >= held.told.last || kept >= lost);
    return { cache, tokens, kept, isSame };
  }

  #new(fits: readonly Fit[], tokens: readonly number[]): Fit {
    const unused = this.#held.findIndex(({ usedAt }) => usedAt === 0);
    const cache = unused < 0 ? this.#held.length : unused;
    if (cache < this.#count) return { cache, tokens, kept: 0, isSame: false };
    const [oldest] = fits.toSorted((a, b) => this.#use(a.cache) - this.#use(b.cache));
    return oldest ?? { cache: 0, tokens, kept: 0, isSame: false };
  }

  /**
   * What the model wrote may be made of other tokens than those that its text is read as. Where the
   * prompt goes on from there, the ones that are in the cache are as good.
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

  /** Less the beginning of the answer that many templates write, which they leave out later. */
  #toldBy(tokens: readonly number[]): number {
    const end = tokens.findLastIndex((token) => this.#options.stopTokenIds.includes(token));
    const most = Math.max(1, tokens.length - 1);
    return end < 0 ? most : Math.min(end + 1, most);
  }
}

/** Whether a prompt has the same text up to there, and goes on. */
function isEndIn(prompt: string, { text }: Held, { characters }: End): boolean {
  return prompt.length > characters && prompt.startsWith(text.slice(0, characters));
}

function endsWith(tokens: readonly number[], rest: readonly number[]): boolean {
  const start = tokens.length - rest.length;
  return start >= 0 && rest.every((token, place) => token === tokens[start + place]);
}

function commonLength(a: ArrayLike<unknown>, b: ArrayLike<unknown>): number {
  const most = Math.min(a.length, b.length);
  let length = 0;
  while (length < most && a[length] === b[length]) length++;
  return length;
}
