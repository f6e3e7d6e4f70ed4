import { unsupportedValue } from '../../src/core/errors/errors.ts';
import type { Encoder } from '../generation/answer/encoder.ts';
import { byteStream } from '../http/byte-stream.ts';
import { eventResponse } from '../http/event-stream.ts';
import type { ResponseBody } from './response-body.ts';

/** The answers that are being written and will be kept. Another page may take one up, if its own page has gone. */
export class UnfinishedResponses {
  readonly #all = new Map<string, UnfinishedResponse>();

  /** @param client - id of its key */
  begin(client: string, response: ResponseBody): UnfinishedResponse {
    const key = `${client} ${response.id}`;
    const unfinished = new UnfinishedResponse(response, () => this.#all.delete(key));
    this.#all.set(key, unfinished);
    return unfinished;
  }

  find(client: string, id: string): UnfinishedResponse | undefined {
    return this.#all.get(`${client} ${id}`);
  }
}

/** An answer that is being written. */
export class UnfinishedResponse {
  /** The answer so far. */
  readonly body: ResponseBody;
  readonly #onEnd: () => void;
  /** The events that were sent; the index is the event's `sequence_number`. */
  readonly #frames: string[] = [];
  #news = Promise.withResolvers<void>();
  #isOver = false;
  readonly #ending = new AbortController();

  constructor(body: ResponseBody, onEnd: () => void) {
    this.body = body;
    this.#onEnd = onEnd;
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
    this.#isOver = true;
    this.#onEnd();
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
          isOver = this.#isOver || left.signal.aborted;
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
