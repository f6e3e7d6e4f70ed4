import { signal } from '@preact/signals';
import { parsed } from '../json.ts';
import { readSetting, writeSetting, type Setting } from './settings.ts';

/** A list that the console remembers as JSON. Each tab sees what others store. */
export class StoredList<T> {
  readonly #setting: Setting;
  readonly #all = signal<readonly T[]>([]);

  /** @param read - one that was stored; undefined: it is no such thing */
  constructor(setting: Setting, read: (value: unknown) => T | undefined) {
    this.#setting = setting;
    const readAll = () => {
      const values: unknown = parsed(readSetting(setting) ?? '');
      const found = Array.isArray(values) ? values.map((value: unknown) => read(value)) : [];
      this.#all.value = found.filter((each) => each !== undefined);
    };
    readAll();
    // The event tells what other tabs store.
    addEventListener('storage', readAll);
  }

  /** All that is stored. It is read as a signal. */
  get value(): readonly T[] {
    return this.#all.value;
  }

  store(all: readonly T[]): void {
    this.#all.value = all;
    writeSetting(this.#setting, all.length === 0 ? null : JSON.stringify(all));
  }
}

/** A list in the order of names, each of which is there once. */
export class NamedList<T extends { name: string }> extends StoredList<T> {
  override store(all: readonly T[]): void {
    super.store(all.toSorted((one, other) => one.name.localeCompare(other.name)));
  }

  /** Stores one in the place of that with its name. */
  save(one: T): void {
    this.store([...this.#others(one), one]);
  }

  delete(one: T): void {
    this.store(this.#others(one));
  }

  #others({ name }: T): T[] {
    return this.value.filter((each) => each.name !== name);
  }
}
