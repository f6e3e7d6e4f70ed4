interface OpenAnswersOptions {
  /** The first of them begins. */
  onFirst: () => void;
  /** The last of them is over. */
  onLast: () => void;
}

/** Which answers are under way: from their request until the last byte is taken, or nobody wants it. */
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

/** The same body, which tells when nothing more of it will be read. It holds nothing itself. */
function watched(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  onEnd: () => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader();
  // An error has no other event than this: nobody may be reading.
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
