interface Device {
  readonly lost: Promise<{ reason: string }>;
  destroy(): void;
}

/** The part of `GPUAdapter.prototype` that is used here. */
export interface Adapter {
  requestDevice(descriptor?: object): Promise<Device>;
}

interface Noted {
  device: Device;
  /** Why it was lost; undefined while it works. */
  lost?: string;
}

/**
 * Observes the GPU devices that WebLLM requests: one for each model, which it does not expose. If a
 * buffer cannot be made, WebLLM destroys the device and then fails in one of many ways, or not at
 * all.
 */
export class GpuDevices {
  /** Devices whose load has not ended yet. */
  #noted: Noted[] = [];

  watch(adapters: Adapter): void {
    // oxlint-disable-next-line unbound-method -- each adapter calls it on itself
    const { requestDevice } = adapters;
    const note = (device: Device) => this.#note(device);
    adapters.requestDevice = async function (descriptor) {
      const device = await requestDevice.call(this, descriptor);
      note(device);
      return device;
    };
  }

  /**
   * Runs a load. If it fails, everything on its device is freed.
   *
   * @throws Error that says why, if the device was lost
   */
  async use(work: () => Promise<void>): Promise<void> {
    // Devices that were lost before this load began say nothing about it.
    this.#noted = this.#noted.filter(({ lost }) => lost === undefined);
    let failure: unknown;
    try {
      await work();
      if (this.#lost() === undefined) {
        this.#noted = [];
        return;
      }
    } catch (error) {
      failure = error;
    }
    const error = this.#explained(failure);
    for (const { device } of this.#noted) device.destroy();
    this.#noted = [];
    throw error;
  }

  #note(device: Device): void {
    const noted: Noted = { device };
    void device.lost.then(({ reason }) => (noted.lost = reason));
    this.#noted.push(noted);
  }

  #lost(): string | undefined {
    return this.#noted.find(({ lost }) => lost !== undefined)?.lost;
  }

  #explained(cause: unknown): unknown {
    const lost = this.#lost();
    if (lost === undefined) return cause;
    // Only WebLLM could have destroyed it so far.
    return lost === 'destroyed'
      ? new Error('Out of memory: a buffer could not be made.', { cause })
      : new Error('The GPU was lost while the model was loaded.', { cause });
  }
}
