import type { LlamaModule } from '../../../../models/llamacpp/module.ts';
import { LlamaError, type LlamaFailure } from './llama-error.ts';

/** A pointer into the module's memory, bytes from its start. */
export type Pointer = number;

/** LC_FAILED and LC_NO_MEMORY of binding.h. */
const FAILURES: Partial<Record<number, LlamaFailure>> = { [-1]: 'failed', [-2]: 'no_memory' };
/** Bytes of an int and of a float. */
export const WORD = 4;
/** Room for most tokens and most pieces, bytes. It grows if they do not fit. */
const FIRST_ROOM = 4096;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Calls the functions of binding.h: passes texts and numbers through the module's memory. All throw LlamaError. */
export class ModuleCalls {
  readonly module: LlamaModule;
  /** Memory for results. */
  #room: { pointer: Pointer; bytes: number };

  constructor(module: LlamaModule) {
    this.module = module;
    this.#room = { pointer: this.allocate(FIRST_ROOM), bytes: FIRST_ROOM };
  }

  /** Returns the result of a function, or throws if it has failed. */
  check(result: number): number {
    if (result < 0) throw this.error(FAILURES[result] ?? 'broken');
    return result;
  }

  error(failure: LlamaFailure): LlamaError {
    const { HEAPU8 } = this.module;
    const start = this.module._lc_error() >>> 0;
    return new LlamaError(failure, decoder.decode(HEAPU8.slice(start, HEAPU8.indexOf(0, start))));
  }

  allocate(bytes: number): Pointer {
    const pointer = this.module._malloc(Math.max(1, bytes)) >>> 0;
    if (pointer === 0) throw new LlamaError('no_memory', 'There is not enough memory.');
    return pointer;
  }

  /** Calls a function with bytes that are copied into the module's memory, and freed after the call. */
  withBytes<T>(bytes: Uint8Array, call: (pointer: Pointer, length: number) => T): T {
    const pointer = this.allocate(bytes.length);
    this.module.HEAPU8.set(bytes, pointer);
    try {
      return call(pointer, bytes.length);
    } finally {
      this.module._free(pointer);
    }
  }

  /** Calls a function with a text. */
  withText<T>(text: string, call: (pointer: Pointer, bytes: number) => T): T {
    return this.withBytes(encoder.encode(text), call);
  }

  /** Calls a function with ints. */
  withInts<T>(ints: readonly number[], call: (pointer: Pointer) => T): T {
    return this.withBytes(new Uint8Array(Int32Array.from(ints).buffer), call);
  }

  /** The ints that a function writes. It is called again with more room if they do not fit. */
  ints(call: (room: Pointer, most: number) => number): number[] {
    const count = this.#fill(WORD, call);
    const start = this.#room.pointer / WORD;
    return [...this.module.HEAP32.subarray(start, start + count)];
  }

  /** Like `ints`, for bytes. */
  bytes(call: (room: Pointer, most: number) => number): Uint8Array {
    const length = this.#fill(1, call);
    const { pointer } = this.#room;
    return this.module.HEAPU8.slice(pointer, pointer + length);
  }

  /** Loads the model in these files. Only their headers must have arrived. */
  loadModel(paths: readonly string[]): void {
    const lines = paths.map((path) => `${path}\n`).join('');
    this.withText(`${lines}\0`, (text) => this.check(this.module._lc_load(text)));
  }

  #fill(itemBytes: number, call: (room: Pointer, most: number) => number): number {
    const count = this.check(call(this.#room.pointer, this.#room.bytes / itemBytes));
    if (count * itemBytes <= this.#room.bytes) return count;
    const bytes = count * itemBytes;
    const room = { pointer: this.allocate(bytes), bytes };
    this.module._free(this.#room.pointer);
    this.#room = room;
    return this.check(call(this.#room.pointer, count));
  }
}
