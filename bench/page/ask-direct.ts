import type { DirectModel, FromDirectWorker, ToDirectWorker } from '../direct/messages.ts';
import { Recorder, type Answer } from './recorder.ts';

/** WebLLM in a dedicated worker of this page; one request at a time. */
export class DirectEngine {
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

  ask(prompt: string, maxTokens: number): Promise<Answer> {
    const recorder = new Recorder();
    return this.#request({ type: 'generate', prompt, maxTokens }, (message) => {
      if (message.type === 'text') recorder.add(message.text);
      if (message.type !== 'finish') return undefined;
      return recorder.finish(message.promptTokens, message.completionTokens);
    });
  }

  /** @param take - gives the result when the message holds it */
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
