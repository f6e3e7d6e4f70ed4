import { unsupportedValue } from '../../src/core/errors/errors.ts';
import type { Encoder } from '../generation/answer/encoder.ts';
import { byteStream } from '../http/byte-stream.ts';
import { eventResponse } from '../http/event-stream.ts';
import type { ResponseBody } from './response-body.ts';

/** How long the events of an answer can be asked for after its end, milliseconds. */
const REPLAY_MS = 300_000;
/** How many answers that have ended keep their events. */
const MOST_ENDED = 16;

/**
 * The answers that are being written and will be kept, and the events of those that have just ended. Another page may
 * take one up, if its own page has gone.
 */
export class WrittenResponses {
  /** The oldest first. */
  readonly #all = new Map<string, WrittenResponse>();

  /** @param client - id of its key */
  begin(client: string, response: ResponseBody): WrittenResponse {
    const ended = [...this.#all.keys()].filter((key) => this.#all.get(key)?.endedAt);
    for (const key of ended.slice(0, 1 - MOST_ENDED)) this.#all.delete(key);
    const written = new WrittenResponse(response);
    this.#all.set(`${client} ${response.id}`, written);
    return written;
  }

  /** An answer whose events can be asked for. */
  find(client: string, id: string): WrittenResponse | undefined {
    const written = this.#all.get(`${client} ${id}`);
    const isOld = Date.now() - (written?.endedAt ?? Infinity) > REPLAY_MS;
    return isOld ? undefined : written;
  }

  /** An answer that is being written. */
  findUnfinished(client: string, id: string): WrittenResponse | undefined {
    const written = this.find(client, id);
    return written?.endedAt ? undefined : written;
  }

  forget(client: string, id: string): void {
    this.#all.delete(`${client} ${id}`);
  }
}

/** An answer that is being written, or has just ended. */
export class WrittenResponse {
  /** The answer so far. */
  readonly body: ResponseBody;
  /** The events that were sent; the index is the event's `sequence_number`. */
  readonly #frames: string[] = [];
  #news = Promise.withResolvers<void>();
  #endedAt: number | undefined;
  readonly #ending = new AbortController();

  constructor(body: ResponseBody) {
    this.body = body;
  }

  /** When it ended, milliseconds since 1970; undefined: it is being written. */
  get endedAt(): number | undefined {
    return this.#endedAt;
  }

  /** Aborts when the answer was deleted. */
  get deleted(): AbortSignal {
    return this.#ending.signal;
  }

  delete(): void {
    this.#ending.abort(new DOMException('The response was deleted', 'AbortError'));
  }

  /** Makes an encoder note what it sends. */
  noting<E>(encoder: Encoder<E>): Encoder<E> {
    const noted = (frames: string) => {
      this.#frames.push(...frames.split(/(?<=\n\n)/).filter(Boolean));
      this.#tell();
      return frames;
    };
    return {
      opening: () => noted(encoder.opening()),
      event: (event) => noted(encoder.event(event)),
      closing: () => noted(encoder.closing()),
      failure: (error) => noted(encoder.failure(error)),
      body: (events) => encoder.body(events),
    };
  }

  /** Call it when the answer is whole, has failed, or was given up. It may be called twice. */
  end(): void {
    this.#endedAt ??= Date.now();
    this.#tell();
  }

  /**
   * Sends the answer's events, also those that are still to come.
   *
   * @param after - `sequence_number` of the last event that the client has
   * @throws ApiError 400 if it is not streamed
   */
  stream(after: number): Response {
    if (this.#frames.length === 0) {
      throw unsupportedValue("'stream' is not supported: the answer is not streamed.", 'stream');
    }
    let next = after + 1;
    const left = new AbortController();
    const body = byteStream(
      async (write) => {
        for (let isOver = false; !isOver;) {
          const news = this.#news.promise;
          isOver = this.#endedAt !== undefined || left.signal.aborted;
          for (; next < this.#frames.length; next++) await write(this.#frames[next] ?? '');
          if (!isOver) await news;
        }
        return undefined;
      },
      () => {
        left.abort();
        this.#tell();
      },
    );
    return eventResponse(body);
  }

  #tell(): void {
    this.#news.resolve();
    this.#news = Promise.withResolvers();
  }
}
