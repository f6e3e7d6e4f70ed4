import type { SpeechRequest, Slashv1 } from '../../index.ts';
import { el } from '../ui/dom.ts';

export type PlayerState = 'idle' | 'waiting' | 'playing';

export interface PlayerEvents {
  onState: (state: PlayerState) => void;
  onFailure: (message: string) => void;
}

/** Plays a speech while the rest of it is still being spoken, as any page can: by an `<audio>` and a URL. */
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
  /** What was last asked for, and where it is. */
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
      // Stopped before it began, or failed: `onerror` tells of that.
    }
  }

  /** The speech stops with the last who listens. */
  stop(): void {
    this.element.removeAttribute('src');
    this.element.load();
    this.element.hidden = true;
    this.#events.onState('idle');
  }

  /** The whole file. What has just been played is not spoken again. */
  async file(request: SpeechRequest, signal: AbortSignal): Promise<Blob> {
    const response = await fetch(await this.#url(request), { signal });
    if (!response.ok) throw new Error(await messageOf(response));
    return response.blob();
  }

  async #url(request: SpeechRequest): Promise<string> {
    const asked = JSON.stringify(request);
    if (this.#last?.request === asked) return this.#last.url;
    const url = await this.#v1.speechUrl(request);
    this.#last = { request: asked, url };
    return url;
  }

  /** An `<audio>` does not say why; the same request does. */
  async #explain(): Promise<void> {
    const { src } = this.element;
    this.stop();
    const answer = new AbortController();
    try {
      const response = await fetch(src, { signal: answer.signal });
      this.#events.onFailure(
        response.ok ? 'The browser cannot play this.' : await messageOf(response),
      );
    } catch {
      this.#events.onFailure('The API cannot be reached. Reload the page.');
    } finally {
      answer.abort();
    }
  }
}

async function messageOf(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => undefined);
  const error =
    typeof body === 'object' && body !== null && 'error' in body ? body.error : undefined;
  const has = typeof error === 'object' && error !== null && 'message' in error;
  return has && typeof error.message === 'string' ? error.message : `HTTP ${response.status}`;
}
