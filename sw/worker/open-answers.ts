interface OpenAnswersOptions {
  /** The first answer begins. */
  onFirst: () => void;
  /** The last answer is over. */
  onLast: () => void;
}

/** Counts the answers under way: from their request until the last byte is read or the client leaves. */
export class OpenAnswers {
  readonly #options: OpenAnswersOptions;
  #count = 0;

  constructor(options: OpenAnswersOptions) {
    this.#options = options;
  }

  get areOpen(): boolean {
    return this.#count > 0;
  }

  async track(answer: Promise<Response>): Promise<Response> {
    const end = this.#begin();
    try {
      const response = await answer;
      if (response.body) return new Response(watched(response.body, end), response);
      end();
      return response;
    } catch (error) {
      end();
      throw error;
    }
  }

  #begin(): () => void {
    if (this.#count++ === 0) this.#options.onFirst();
    let isOpen = true;
    return () => {
      if (isOpen && --this.#count === 0) this.#options.onLast();
      isOpen = false;
    };
  }
}

/** The same body, unbuffered. It reports when nothing more of it will be read. */
function watched(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  onEnd: () => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader();
  // The only event of an error while nobody reads.
  reader.closed.catch(onEnd);
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        const { value, done } = await reader.read();
        if (!done) return controller.enqueue(value);
        controller.close();
        onEnd();
      },
      cancel(reason) {
        onEnd();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
