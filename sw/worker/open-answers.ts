import { passing } from '../http/passing-body.ts';

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
    const end = this.begin();
    try {
      const response = await answer;
      if (response.body) return new Response(passing(response.body, { onEnd: end }), response);
      end();
      return response;
    } catch (error) {
      end();
      throw error;
    }
  }

  /** @returns what says that the answer is over; it may be called twice */
  begin(): () => void {
    if (this.#count++ === 0) this.#options.onFirst();
    let isOpen = true;
    return () => {
      if (isOpen && --this.#count === 0) this.#options.onLast();
      isOpen = false;
    };
  }
}
