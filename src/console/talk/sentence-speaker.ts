import type { Slashv1 } from '../../index.ts';
import { Player } from '../speech/player.ts';
import type { Speaker } from '../speech/speakers.ts';

/** Says sentences one after the other, as they come. */
export class SentenceSpeaker {
  readonly #player: Player;
  readonly #speaker: Speaker;
  #waiting = '';
  #isPlaying = false;
  #silent = Promise.withResolvers<void>();

  /** @param onFailure - called with a message for the user */
  constructor(v1: Slashv1, speaker: Speaker, onFailure: (message: string) => void) {
    this.#player = new Player(v1, (message) => {
      onFailure(message);
      this.stop();
    });
    this.#speaker = speaker;
    const audio = new Audio();
    audio.addEventListener('ended', () => this.#next());
    this.#player.use(audio);
    this.#silent.resolve();
  }

  /** Resolves when all has been said. */
  get silence(): Promise<void> {
    return this.#silent.promise;
  }

  say(text: string): void {
    if (text.trim() === '') return;
    this.#waiting = `${this.#waiting} ${text}`.trim();
    if (this.#isPlaying) return;
    this.#isPlaying = true;
    this.#silent = Promise.withResolvers();
    this.#next();
  }

  stop(): void {
    this.#waiting = '';
    this.#isPlaying = false;
    this.#player.stop();
    this.#silent.resolve();
  }

  /** Says the text that came while the text before it was being said. */
  #next(): void {
    if (this.#waiting === '') {
      this.#isPlaying = false;
      this.#silent.resolve();
      return;
    }
    const input = this.#waiting;
    this.#waiting = '';
    void this.#player.play({ ...this.#speaker, input, response_format: 'wav' });
  }
}
