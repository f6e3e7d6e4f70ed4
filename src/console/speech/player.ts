import type { SpeechRequest, Slashv1 } from '../../index.ts';
import { apiErrorMessage } from '../chat/api-failure.ts';
import { el } from '../ui/dom.ts';

export type PlayerState = 'idle' | 'waiting' | 'playing';

export interface PlayerEvents {
  onState: (state: PlayerState) => void;
  onFailure: (message: string) => void;
}

/** Plays speech while the rest of it is still being made. It needs only an `<audio>` and a URL. */
export class Player {
  readonly #v1: Slashv1;
  readonly #events: PlayerEvents;
  readonly element = el('audio', {
    controls: true,
    hidden: true,
    onplaying: () => this.#events.onState('playing'),
    onended: () => this.#events.onState('idle'),
    onerror: () => void this.#explain(),
  });
  /** The last request and its URL. */
  #last: { request: string; url: string } | undefined;

  constructor(v1: Slashv1, events: PlayerEvents) {
    this.#v1 = v1;
    this.#events = events;
  }

  async play(request: SpeechRequest): Promise<void> {
    this.#events.onState('waiting');
    this.element.src = await this.#url(request);
    this.element.hidden = false;
    try {
      await this.element.play();
    } catch {
      // It was stopped before it began, or it failed. `onerror` reports a failure.
    }
  }

  /** Stops playing. The API stops speaking when nothing reads its response any more. */
  stop(): void {
    this.element.removeAttribute('src');
    this.element.load();
    this.element.hidden = true;
    this.#events.onState('idle');
  }

  /** The whole file; throws an Error with the API's message. What was just played is not spoken again. */
  async file(request: SpeechRequest, signal: AbortSignal): Promise<Blob> {
    const response = await fetch(await this.#url(request), { signal });
    if (!response.ok) throw new Error(await failureMessage(response));
    return response.blob();
  }

  async #url(request: SpeechRequest): Promise<string> {
    const asText = JSON.stringify(request);
    if (this.#last?.request === asText) return this.#last.url;
    const url = await this.#v1.speechUrl(request);
    this.#last = { request: asText, url };
    return url;
  }

  /** An `<audio>` does not say why it failed, so the same request is made once more by `fetch`. */
  async #explain(): Promise<void> {
    const { src } = this.element;
    this.stop();
    const stopping = new AbortController();
    try {
      const response = await fetch(src, { signal: stopping.signal });
      this.#events.onFailure(
        response.ok ? 'The browser cannot play this.' : await failureMessage(response),
      );
    } catch {
      this.#events.onFailure('The API cannot be reached. Reload the page.');
    } finally {
      stopping.abort();
    }
  }
}

async function failureMessage(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => undefined);
  return apiErrorMessage(body) || `HTTP ${response.status}`;
}
