import type { DirectModel, FromDirectWorker, ToDirectWorker } from '../direct/messages.ts';
import type { TimedAnswer } from '../answer.ts';
import { AnswerTimer } from './answer-timer.ts';
import type { OtherEngine } from './other-engine.ts';

/** WebLLM, or our binding of llama.cpp, in a dedicated worker of this page. */
export class DirectEngine implements OtherEngine {
  readonly #worker: Worker;
  #receive: (message: FromDirectWorker) => void = () => undefined;
  #reject: (error: Error) => void = () => undefined;

  /** @param script - URL of the worker */
  constructor(script: string | URL) {
    this.#worker = new Worker(script, { type: 'module' });
    this.#worker.onmessage = ({ data }: MessageEvent<FromDirectWorker>) => {
      if (data.type === 'failed') this.#reject(new Error(data.message));
      else this.#receive(data);
    };
    this.#worker.onerror = ({ message }) => this.#reject(new Error(message));
  }

  async load(model: DirectModel): Promise<void> {
    await this.#request({ type: 'load', model }, (message) =>
      message.type === 'loaded' ? true : undefined,
    );
  }

  async unload(): Promise<void> {
    await this.#request({ type: 'unload' }, (message) =>
      message.type === 'unloaded' ? true : undefined,
    );
  }

  ask(prompt: string, maxTokens: number): Promise<TimedAnswer> {
    const timer = new AnswerTimer();
    return this.#request({ type: 'generate', prompt, maxTokens }, (message) => {
      if (message.type === 'text') timer.add(message.text);
      if (message.type !== 'finish') return undefined;
      return timer.finish(message.promptTokens, message.completionTokens);
    });
  }

  /** @param take - returns the result, or undefined for a message that does not contain it */
  #request<T>(
    message: ToDirectWorker,
    take: (message: FromDirectWorker) => T | undefined,
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      this.#receive = (received) => {
        const result = take(received);
        if (result !== undefined) resolve(result);
      };
      this.#worker.postMessage(message);
    });
  }
}
