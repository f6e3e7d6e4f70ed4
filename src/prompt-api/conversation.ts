import type { ChatClient } from './chat-client.ts';
import { quotaExceeded } from './exceptions.ts';
import type { ChatMessage, CheckedPrompt } from './prompt-input.ts';
import { withHint, type Constraint } from './response-constraint.ts';

/** A prompt after the earlier messages that still fit. */
interface Room {
  prompt: CheckedPrompt;
  tokens: number;
  /** How many of the oldest turns must be dropped. */
  dropped: number;
}

/** The messages of a session, and how many tokens of the context window they take. */
export class Conversation {
  readonly window: number;
  readonly #client: ChatClient;
  /** Never dropped: the initial prompts, or a first system message. */
  #kept: ChatMessage[] = [];
  /** The messages of each prompt with its answer, and of each `append`; the oldest first. */
  #turns: ChatMessage[][] = [];
  #usage = 0;

  /** @param window - tokens */
  constructor(client: ChatClient, window: number) {
    this.#client = client;
    this.window = window;
  }

  /** Tokens. */
  get usage(): number {
    return this.#usage;
  }

  /** Whether it has no messages. */
  get isEmpty(): boolean {
    return this.#usage === 0;
  }

  clone(): Conversation {
    const clone = new Conversation(this.#client, this.window);
    clone.#kept = this.#kept;
    clone.#turns = [...this.#turns];
    clone.#usage = this.#usage;
    return clone;
  }

  /**
   * Begins with messages that stay.
   *
   * @throws DOMException QuotaExceededError
   */
  async begin(messages: ChatMessage[], signal: AbortSignal): Promise<void> {
    if (messages.length === 0) return;
    this.#usage = (await this.#roomFor({ messages, continues: false }, false, signal)).tokens;
    this.#kept = messages;
  }

  /** How many tokens messages have on their own. */
  measure(messages: ChatMessage[], signal: AbortSignal): Promise<number> {
    return this.#client.count({ messages, continues: false }, false, signal);
  }

  /**
   * @param onOverflow - called before the oldest turns are dropped, if they must be
   * @throws DOMException QuotaExceededError
   */
  async append(
    messages: ChatMessage[],
    onOverflow: () => void,
    signal: AbortSignal,
  ): Promise<void> {
    const room = await this.#roomFor({ messages, continues: false }, false, signal);
    this.#drop(room, onOverflow);
    this.#add(messages);
    this.#usage = room.tokens;
  }

  /**
   * Answers, and keeps the prompt and its answer. If the answer fails, neither is kept.
   *
   * @param onOverflow - as for `append`
   * @throws DOMException QuotaExceededError; SyntaxError if the answer does not fit the constraint
   */
  async *answer(
    given: CheckedPrompt,
    constraint: Constraint | undefined,
    onOverflow: () => void,
    signal: AbortSignal,
  ): AsyncGenerator<string, void> {
    const messages = withHint(given.messages, constraint);
    const room = await this.#roomFor({ ...given, messages }, true, signal);
    this.#drop(room, onOverflow);
    const pieces = this.#client.answer(room.prompt, constraint?.fields ?? {}, signal);
    let text = '';
    for (;;) {
      const { value, done } = await pieces.next();
      signal.throwIfAborted();
      if (done) {
        check(text, value.isCut, constraint);
        this.#add(answered(messages, given.continues, text));
        this.#usage = value.tokens;
        return;
      }
      text += value;
      yield value;
    }
  }

  /**
   * @param isAnswered - whether there must be room for an answer, too
   * @throws DOMException QuotaExceededError if it does not fit even after the messages that stay
   */
  async #roomFor(
    { messages, continues }: CheckedPrompt,
    isAnswered: boolean,
    signal: AbortSignal,
  ): Promise<Room> {
    const without = async (dropped: number): Promise<Room> => {
      const before = [...this.#kept, ...this.#turns.slice(dropped).flat()];
      const prompt = { messages: [...before, ...messages], continues };
      return { prompt, dropped, tokens: await this.#client.count(prompt, isAnswered, signal) };
    };
    const fits = ({ tokens }: Room) => tokens + Number(isAnswered) <= this.window;
    const whole = await without(0);
    if (fits(whole)) return whole;
    const all = this.#turns.length;
    let best = all === 0 ? whole : await without(all);
    if (!fits(best)) throw quotaExceeded(best.tokens, this.window);
    // Finds the fewest turns to drop with few counts: each takes as long as reading the whole prompt.
    for (let least = 1; least < best.dropped;) {
      const tried = await without(Math.floor((least + best.dropped) / 2));
      if (fits(tried)) best = tried;
      else least = tried.dropped + 1;
    }
    return best;
  }

  #drop({ dropped }: Room, onOverflow: () => void): void {
    if (dropped === 0) return;
    onOverflow();
    this.#turns = this.#turns.slice(dropped);
  }

  #add(messages: ChatMessage[]): void {
    const [first, ...others] = messages;
    if (first?.role !== 'system') return void this.#turns.push(messages);
    this.#kept = [...this.#kept, first];
    if (others.length > 0) this.#turns.push(others);
  }
}

/** @throws DOMException SyntaxError */
function check(answer: string, isCut: boolean, constraint: Constraint | undefined): void {
  if (!constraint || (!isCut && constraint.isMetBy(answer))) return;
  const why = isCut ? 'The context window was full before' : 'The model ended before';
  throw new DOMException(`${why} the answer fitted 'responseConstraint'.`, 'SyntaxError');
}

/** The messages of a turn with its answer, which may continue the last one. */
function answered(messages: ChatMessage[], continues: boolean, text: string): ChatMessage[] {
  const last = messages.at(-1);
  if (!continues || !last) return [...messages, { role: 'assistant', content: text }];
  return [...messages.slice(0, -1), { role: last.role, content: last.content + text }];
}
