import { MOST_GPU_FAILURES } from '../../../core/fit/load-record.ts';
import type { ComputeDevice } from '../../../core/realms/compute-device.ts';
import type { LoadRequest } from '../../conversation/text-backend.ts';
import type { GpuLost } from './worker-lost.ts';

/** The device that a model's next worker uses. After a final failure of the GPU or a second one, this is the CPU. */
export class ModelPlace {
  readonly #onGpuFailure: LoadRequest['onGpuFailure'];
  #device: ComputeDevice;
  #failures = 0;

  constructor({ installed, onGpuFailure }: Pick<LoadRequest, 'installed' | 'onGpuFailure'>) {
    this.#device = installed.runsOn ?? 'wasm';
    this.#onGpuFailure = onGpuFailure;
  }

  get device(): ComputeDevice {
    return this.#device;
  }

  async note({ message, isFinal }: GpuLost): Promise<void> {
    this.#failures++;
    if (isFinal || this.#failures >= MOST_GPU_FAILURES) this.#device = 'wasm';
    await this.#onGpuFailure(message, isFinal);
  }
}
