import { signal, type ReadonlySignal } from '@preact/signals';
import type { SpeechRequest, Slashv1 } from '../../index.ts';
import { apiErrorMessage } from '../chat/answer/api-failure.ts';
import { messages } from '../messages/messages.ts';

export type PlayerState = 'idle' | 'waiting' | 'playing';

/** Plays speech while the rest of it is still being made. It needs only an `<audio>` and a URL. */
export class Player {
  readonly #v1: Slashv1;
  readonly #onFailure: (message: string) => void;
  readonly #state = signal<PlayerState>('idle');
  readonly state: ReadonlySignal<PlayerState> = this.#state;
  #audio: HTMLAudioElement | null = null;
  /**
   * The last two requests and their URLs. The API keeps what it has spoken under its URL, and does not speak it again.
   * Older URLs may have expired.
   */
  readonly #urls = new Map<string, string>();
  #preparing = new AbortController();

  constructor(v1: Slashv1, onFailure: (message: string) => void) {
    this.#v1 = v1;
    this.#onFailure = onFailure;
  }

  /** Plays with this element from now on. */
  use(audio: HTMLAudioElement): void {
    this.#audio = audio;
    audio.addEventListener('playing', () => (this.#state.value = 'playing'));
    audio.addEventListener('ended', () => (this.#state.value = 'idle'));
    audio.addEventListener('error', () => void this.#explain(audio));
  }

  async play(request: SpeechRequest): Promise<void> {
    const audio = this.#audio;
    if (!audio) return;
    this.#state.value = 'waiting';
    audio.src = await this.#url(request);
    audio.hidden = false;
    try {
      await audio.play();
    } catch {
      // Playing was stopped before it began, or it failed. The `error` event reports a failure.
    }
  }

  /** Has a speech made that is played next. */
  async prepare(request: SpeechRequest): Promise<void> {
    this.#preparing = new AbortController();
    const { signal: abort } = this.#preparing;
    try {
      const response = await fetch(await this.#url(request), { signal: abort });
      await response.arrayBuffer();
    } catch {
      // Playing it tells why.
    }
  }

  /** Stops playing. The API stops speaking when nothing reads its response any more. */
  stop(): void {
    this.#preparing.abort();
    const audio = this.#audio;
    if (!audio) return;
    audio.removeAttribute('src');
    audio.load();
    audio.hidden = true;
    this.#state.value = 'idle';
  }

  /** The whole file; throws an Error with the API's message. What was just played is not spoken again. */
  async file(request: SpeechRequest, abort: AbortSignal): Promise<Blob> {
    const response = await fetch(await this.#url(request), { signal: abort });
    if (!response.ok) throw new Error(await failureMessage(response));
    return response.blob();
  }

  async #url(request: SpeechRequest): Promise<string> {
    const asText = JSON.stringify(request);
    const url = this.#urls.get(asText) ?? (await this.#v1.speechUrl(request));
    this.#urls.set(asText, url);
    const [oldest = ''] = this.#urls.keys();
    if (this.#urls.size > 2) this.#urls.delete(oldest);
    return url;
  }

  /** An `<audio>` does not say why it failed, so the same request is made once more by `fetch`. */
  async #explain({ src }: HTMLAudioElement): Promise<void> {
    this.stop();
    const stopping = new AbortController();
    try {
      const response = await fetch(src, { signal: stopping.signal });
      this.#onFailure(
        response.ok ? messages.value.speech.unplayable : await failureMessage(response),
      );
    } catch {
      this.#onFailure(messages.value.speech.unreachable);
    } finally {
      stopping.abort();
    }
  }
}

async function failureMessage(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => undefined);
  return apiErrorMessage(body) || `HTTP ${response.status}`;
}
