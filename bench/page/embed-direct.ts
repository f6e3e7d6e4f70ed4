import type { DirectEmbedder, FromEmbedWorker, ToEmbedWorker } from '../direct/embed-messages.ts';

/** transformers.js in a dedicated worker of this page. It takes one request at a time. */
export class DirectEmbedding {
  readonly #worker: Worker;

  /** @param script - URL of the worker */
  constructor(script: string | URL) {
    this.#worker = new Worker(script, { type: 'module' });
  }

  async load(model: DirectEmbedder): Promise<void> {
    await this.#request({ type: 'load', model });
  }

  /** The vectors, one after the other. */
  async embed(texts: string[]): Promise<Float32Array> {
    const answer = await this.#request({ type: 'embed', texts });
    if (answer.type !== 'embedded') throw new Error(`transformers.js answered '${answer.type}'.`);
    return answer.values;
  }

  #request(message: ToEmbedWorker): Promise<FromEmbedWorker> {
    return new Promise((resolve, reject) => {
      this.#worker.onerror = ({ message: reason }) => reject(new Error(reason));
      this.#worker.onmessage = ({ data }: MessageEvent<FromEmbedWorker>) => {
        if (data.type === 'failed') reject(new Error(data.message));
        else resolve(data);
      };
      this.#worker.postMessage(message);
    });
  }
}
