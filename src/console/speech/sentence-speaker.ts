import type { Slashv1, SpeechRequest } from '../../index.ts';
import { Player } from './player.ts';
import type { Speaker } from './speakers.ts';
import { spokenParts } from './spoken-text.ts';

/**
 * Says texts sentence by sentence; the next one is made while one is played. Each is a file of its own, because
 * browsers begin to play a file that is still arriving only after some 230 kB, which are five seconds of sound.
 */
export class SentenceSpeaker {
  readonly #player: Player;
  readonly #speaker: Speaker;
  readonly #waiting: string[] = [];
  #isPlaying = false;
  #silent = Promise.withResolvers<void>();

  /** @param onFailure - called with a message for the user */
  constructor(
    v1: Slashv1,
    speaker: Speaker,
    audio: HTMLAudioElement,
    onFailure: (message: string) => void,
  ) {
    this.#player = new Player(v1, (message) => {
      onFailure(message);
      this.stop();
    });
    this.#speaker = speaker;
    audio.addEventListener('ended', () => this.#next());
    this.#player.use(audio);
    this.#silent.resolve();
  }

  /** Resolves when all has been said. */
  get silence(): Promise<void> {
    return this.#silent.promise;
  }

  say(text: string): void {
    const isNext = this.#waiting.length === 0;
    this.#waiting.push(...spokenParts(text));
    if (this.#waiting.length === 0) return;
    if (!this.#isPlaying) {
      this.#isPlaying = true;
      this.#silent = Promise.withResolvers();
      this.#next();
    } else if (isNext) this.#prepare();
  }

  stop(): void {
    this.#waiting.length = 0;
    this.#isPlaying = false;
    this.#player.stop();
    this.#silent.resolve();
  }

  #next(): void {
    const part = this.#waiting.shift();
    if (part === undefined) {
      this.#isPlaying = false;
      this.#silent.resolve();
      return;
    }
    // The next one would otherwise be made first.
    void this.#player.play(this.#request(part)).then(() => this.#prepare());
  }

  #prepare(): void {
    const [next] = this.#waiting;
    if (next !== undefined) void this.#player.prepare(this.#request(next));
  }

  #request(input: string): SpeechRequest {
    return { ...this.#speaker, input, response_format: 'wav' };
  }
}
