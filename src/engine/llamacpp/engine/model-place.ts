import type { ComputeDevice } from '../../../core/realms/device-report.ts';
import type { LoadRequest } from '../../conversation/text-backend.ts';
import type { GpuLost } from './worker-lost.ts';

/** The device that a model's next worker uses. */
export class ModelPlace {
  readonly #onGpuFailure: LoadRequest['onGpuFailure'];
  #device: ComputeDevice;
  /** The failure that was noted last. Each answer of a worker tells of the same one. */
  #last: { error: GpuLost; noted: Promise<void> } | undefined;

  constructor({ installed, onGpuFailure }: Pick<LoadRequest, 'installed' | 'onGpuFailure'>) {
    this.#device = installed.runsOn ?? 'wasm';
    this.#onGpuFailure = onGpuFailure;
  }

  get device(): ComputeDevice {
    return this.#device;
  }

  note(error: GpuLost): Promise<void> {
    if (this.#last?.error !== error) this.#last = { error, noted: this.#note(error) };
    return this.#last.noted;
  }

  async #note({ message, fault }: GpuLost): Promise<void> {
    if (await this.#onGpuFailure(message, fault)) this.#device = 'wasm';
  }
}
