import type { Database } from './database.ts';
import type { StoreReader } from './small-database.ts';
import type { Device } from '../fit/device-fit.ts';
import type { LoadRecord } from '../fit/load-record.ts';

/** Reads what is known of this device. The service worker needs it because it cannot see the GPU itself. */
export class DeviceReader<D extends StoreReader = StoreReader> {
  protected readonly open: () => Promise<D>;

  constructor(open: () => Promise<D>) {
    this.open = open;
  }

  /** Before an engine has run here, only the records of loads are known. */
  async read(): Promise<Device> {
    const [found, loads] = await Promise.all([
      this.open().then((db) => db.get('device', 'here')),
      this.open().then((db) => db.getAll('loads')),
    ]);
    return { ...found, loads };
  }
}

/** `DeviceReader` for the engine, which also writes. */
export class DeviceStore extends DeviceReader<Database> {
  async put(device: Device): Promise<void> {
    await (await this.open()).put('device', device, 'here');
  }

  async loads(): Promise<LoadRecord[]> {
    return (await this.open()).getAll('loads');
  }

  /**
   * Changes what is known of a variant, in one transaction: two engines may do this at once.
   *
   * @param change - gets the stored record, and returns the one to store; undefined: it is deleted
   */
  async changeLoad(
    model: string,
    variant: string,
    change: (stored: LoadRecord | undefined) => LoadRecord | undefined,
  ): Promise<LoadRecord | undefined> {
    const { store, done } = (await this.open()).transaction('loads', 'readwrite');
    const record = change(await store.get([model, variant]));
    await (record ? store.put(record) : store.delete([model, variant]));
    await done;
    return record;
  }

  /** Forgets what went wrong with a model. */
  async forgetLoads(model: string): Promise<void> {
    const all = IDBKeyRange.bound([model], [model, []]);
    await (await this.open()).delete('loads', all);
  }
}
