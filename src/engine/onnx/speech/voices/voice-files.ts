import { serverError } from '../../../../core/errors/errors.ts';
import type { ReadFile } from '../../../download/transfer/read-file.ts';

/** Reads the numbers that define a voice, each file once. */
export class VoiceFiles {
  readonly #read: ReadFile;
  readonly #path: (voice: string) => string;
  readonly #known = new Map<string, Float32Array<ArrayBuffer>>();

  /** @param path - gives the path of a voice's file */
  constructor(read: ReadFile, path: (voice: string) => string) {
    this.#read = read;
    this.#path = path;
  }

  /** @throws ApiError 500 if there is no such file */
  async get(voice: string): Promise<Float32Array<ArrayBuffer>> {
    const known = this.#known.get(voice);
    if (known) return known;
    const file = await this.#read(this.#path(voice));
    if (!file) throw serverError('engine_error', `The model has no file for the voice ${voice}.`);
    const numbers = new Float32Array(await file.arrayBuffer());
    this.#known.set(voice, numbers);
    return numbers;
  }
}
