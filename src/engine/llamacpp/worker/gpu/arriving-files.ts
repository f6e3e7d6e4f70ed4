import type { GgufHeader } from '../../../../core/files/gguf/gguf-header.ts';
import { ArrivedBytes } from '../../arrived-bytes.ts';
import type { FilledFiles, ModelPart } from '../../model-files.ts';
import { ArrivingFile } from './arriving-file.ts';
import type { GpuModule } from './gpu-module.ts';
import { WeightWriter } from './weight-writer.ts';

/** After so many bytes, the GPU has to be done with them before more are taken. */
const MOST_UNDONE = 32 * 1024 * 1024;

type Gpu = Pick<GpuModule, 'module' | 'finish'>;

/** The files of a model that is being downloaded. Its weights go into the memory of the GPU as they arrive. */
export class ArrivingFiles implements FilledFiles {
  readonly model: ArrivingFile;
  readonly #gpu: Gpu;
  readonly #projector: ArrivingBlob | undefined;
  #undone = 0;

  constructor(gpu: Gpu, model: ModelPart, projector: ModelPart | undefined) {
    this.#gpu = gpu;
    this.model = new ArrivingFile(model);
    this.#projector = projector && new ArrivingBlob(projector);
  }

  /** @throws GpuFailure; LlamaError */
  async fill(part: number, pieces: readonly Uint8Array<ArrayBuffer>[]): Promise<void> {
    if (part > 0) return this.#projector?.fill(pieces);
    await this.model.fill(pieces);
    this.#undone += pieces.reduce((sum, { length }) => sum + length, 0);
    if (this.#undone < MOST_UNDONE) return;
    this.#undone = 0;
    await this.#gpu.finish();
  }

  /**
   * Begins to write the weights. To be called when llama.cpp has opened the model.
   *
   * @param headers - that of the model
   */
  begin([header]: readonly GgufHeader[]): void {
    this.model.begin(new WeightWriter(this.#gpu.module, header?.tensors ?? []));
  }

  /** Resolves when all of the projector has arrived. */
  async projector(): Promise<ModelPart | undefined> {
    return this.#projector?.whole();
  }

  /** Resolves when all weights are in the memory of the GPU. @throws GpuFailure */
  async whole(): Promise<void> {
    await this.model.whole();
    await this.#gpu.finish();
  }
}

/** A file that is kept by the browser until all of it has arrived. */
class ArrivingBlob {
  readonly #part: ModelPart;
  readonly #arrived = new ArrivedBytes();
  readonly #pieces: Blob[] = [];

  constructor(part: ModelPart) {
    this.#part = part;
  }

  fill(pieces: readonly Uint8Array<ArrayBuffer>[]): void {
    const blob = new Blob([...pieces]);
    this.#pieces.push(blob);
    this.#arrived.add(blob.size);
  }

  async whole(): Promise<ModelPart> {
    await this.#arrived.until(this.#part.size);
    return { ...this.#part, blob: new Blob(this.#pieces) };
  }
}
