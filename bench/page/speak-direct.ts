import type { DirectVoice, FromSpeechWorker, ToSpeechWorker } from '../direct/speech-messages.ts';
import type { TimedSpeech } from '../timed-speech.ts';

/** kokoro-js in a dedicated worker of this page. It takes one request at a time. */
export class DirectSpeech {
  readonly #worker: Worker;

  /** @param script - URL of the worker */
  constructor(script: string | URL) {
    this.#worker = new Worker(script, { type: 'module' });
  }

  load(voice: DirectVoice): Promise<void> {
    return this.#request({ type: 'load', voice }, 'loaded', () => undefined);
  }

  async speak(text: string, by: 'text' | 'sentence'): Promise<TimedSpeech> {
    const asked = performance.now();
    let [firstMs, seconds] = [0, 0];
    await this.#request({ type: 'speak', text, by }, 'spoken', (message) => {
      if (message.type !== 'audio') return;
      firstMs ||= performance.now() - asked;
      seconds += message.seconds;
    });
    return { firstMs, totalMs: performance.now() - asked, seconds };
  }

  #request(
    message: ToSpeechWorker,
    last: FromSpeechWorker['type'],
    take: (message: FromSpeechWorker) => void,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#worker.onerror = ({ message: reason }) => reject(new Error(reason));
      this.#worker.onmessage = ({ data }: MessageEvent<FromSpeechWorker>) => {
        if (data.type === 'failed') reject(new Error(data.message));
        take(data);
        if (data.type === last) resolve();
      };
      this.#worker.postMessage(message);
    });
  }
}
