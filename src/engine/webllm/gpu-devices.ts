interface Device {
  readonly lost: Promise<{ reason: string }>;
  destroy(): void;
}

/** `GPUAdapter.prototype`, as far as it is needed here. */
export interface Adapter {
  requestDevice(descriptor?: object): Promise<Device>;
}

interface Noted {
  device: Device;
  /** Why it is of no use any more; undefined while it is. */
  lost?: string;
}

/**
 * Sees the GPU devices that are asked for: WebLLM has one for each model, and tells nobody of it. Where a
 * buffer cannot be made it destroys the device, and then fails in any of many ways, or not at all.
 */
export class GpuDevices {
  /** Those that no load has come to its end with. */
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
   * Does the work of a load. When it fails, all that was on its device is freed.
   *
   * @throws Error that says why, when the device was lost
   */
  async use(work: () => Promise<void>): Promise<void> {
    // Gone before this load began: it is no sign of what happens in it.
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
    // Until now nobody but WebLLM had it to destroy.
    return lost === 'destroyed'
      ? new Error('Out of memory: a buffer could not be made.', { cause })
      : new Error('The GPU was lost while the model was loaded.', { cause });
  }
}
