import type { DirectOnnxModel, FromEmbedWorker, ToEmbedWorker } from '../direct/embed-messages.ts';
import { WorkerRequests } from './worker-requests.ts';

/** transformers.js in a dedicated worker of this page. */
export class DirectEmbedding {
  readonly #worker: WorkerRequests<ToEmbedWorker, FromEmbedWorker>;

  /** @param script - URL of the worker */
  constructor(script: string | URL) {
    this.#worker = new WorkerRequests(script);
  }

  async load(model: DirectOnnxModel): Promise<void> {
    await this.#worker.send({ type: 'load', model });
  }

  /** The vectors, one after the other. */
  async embed(texts: string[]): Promise<Float32Array> {
    const answer = await this.#worker.send({ type: 'embed', texts });
    if (answer.type !== 'embedded') throw new Error(`transformers.js answered '${answer.type}'.`);
    return answer.values;
  }
}
