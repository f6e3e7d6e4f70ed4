import { batch, signal } from '@preact/signals';
import { member, parsed, readableJson } from '../json.ts';
import { messages } from '../messages/messages.ts';
import type { OutgoingRequest } from './requests.ts';
import { messageOf } from '../../core/text/message-of.ts';

/** One event of a stream, as received. */
export interface StreamEvent {
  /** Milliseconds from the request. */
  at: number;
  text: string;
}

/** Status and type of a response. */
export interface Reply {
  status: number;
  contentType: string;
  /** Milliseconds from the request to the status. */
  headersAt: number;
}

export const SHOWN_EVENTS = 200;

/** A request and its response. */
export class Exchange {
  readonly reply = signal<Reply | null>(null);
  /** The latest events, at most `SHOWN_EVENTS`, because showing all events of a long answer would be slow. */
  readonly events = signal<readonly StreamEvent[]>([]);
  readonly eventCount = signal(0);
  /** The body of a response that is not a stream: text, or a file. */
  readonly body = signal<string | Blob | null>(null);
  readonly failure = signal('');
  /** Milliseconds from the request to its end; null: it is running. */
  readonly endedAt = signal<number | null>(null);
  readonly #stopping = new AbortController();
  readonly #received: string[] = [];

  /** @param prepare - makes the request; times count from before it */
  async run(prepare: () => Promise<OutgoingRequest>): Promise<void> {
    const began = performance.now();
    const now = () => performance.now() - began;
    try {
      const { url, ...init } = await prepare();
      const response = await fetch(url, { ...init, signal: this.#stopping.signal });
      const contentType = response.headers.get('content-type') ?? '';
      this.reply.value = { status: response.status, contentType, headersAt: now() };
      if (contentType.startsWith('text/event-stream')) await this.#readEvents(response, now);
      else if (/^(text|application\/json)/.test(contentType))
        this.body.value = readableJson(await response.text());
      else this.body.value = await response.blob();
    } catch (error) {
      this.failure.value = this.#stopping.signal.aborted
        ? messages.value.playground.stopped
        : messageOf(error);
    }
    this.endedAt.value = now();
  }

  /** The field of the body that the API refused, and why; empty: none. */
  get refusal(): string {
    const { value } = this.body;
    if (this.reply.value?.status !== 400 || typeof value !== 'string') return '';
    const error = member(parsed(value), 'error');
    const [param, message] = [member(error, 'param'), member(error, 'message')];
    return typeof param === 'string' ? `${param}: ${String(message)}` : '';
  }

  /** All events, as received. */
  eventText(): string {
    return this.#received.map((text) => `${text}\n\n`).join('');
  }

  stop(): void {
    this.#stopping.abort();
  }

  async #readEvents({ body }: Response, now: () => number): Promise<void> {
    if (!body) return;
    let rest = '';
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      const parts = (rest + value).split('\n\n');
      rest = parts.pop() ?? '';
      const at = now();
      this.#add(parts.map((text) => ({ at, text })));
    }
    if (rest.trim() !== '') this.#add([{ at: now(), text: rest }]);
  }

  #add(came: readonly StreamEvent[]): void {
    for (const { text } of came) this.#received.push(text);
    batch(() => {
      this.eventCount.value = this.#received.length;
      this.events.value = [...this.events.value, ...came].slice(-SHOWN_EVENTS);
    });
  }
}
