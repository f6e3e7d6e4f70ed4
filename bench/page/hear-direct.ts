import type { DirectOnnxModel } from '../direct/embed-messages.ts';
import type { FromHearWorker, ToHearWorker } from '../direct/hear-messages.ts';
import { WorkerRequests } from './worker-requests.ts';

/** transformers.js in a dedicated worker of this page. */
export class DirectHearing {
  readonly #worker: WorkerRequests<ToHearWorker, FromHearWorker>;

  /** @param script - URL of the worker */
  constructor(script: string | URL) {
    this.#worker = new WorkerRequests(script);
  }

  async load(model: DirectOnnxModel): Promise<void> {
    await this.#worker.send({ type: 'load', model });
  }

  /** @param wav - 16 bits, 16 kHz, mono */
  async hear(wav: Blob): Promise<string> {
    const context = new OfflineAudioContext(1, 1, 16_000);
    const decoded = await context.decodeAudioData(await wav.arrayBuffer());
    const answer = await this.#worker.send({ type: 'hear', samples: decoded.getChannelData(0) });
    if (answer.type !== 'heard') throw new Error(`transformers.js answered '${answer.type}'.`);
    return answer.text;
  }
}
