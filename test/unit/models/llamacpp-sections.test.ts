import { expect, test } from 'vitest';
import makeLlama from '../../../models/llamacpp/built/llamacpp-gpu.js';
import { LlamaInNode } from '../../../models/llamacpp/llama-in-node.ts';
import type { LlamaGpuModule } from '../../../models/llamacpp/module.ts';
import { GpuFiles, storedFiles } from '../../../src/engine/llamacpp/worker/gpu/gpu-files.ts';
import { splitTinyGguf, tinyGguf } from '../../support/gguf/tiny-gguf.ts';

/** A Blob that can be read at once, as in workers. */
class BytesAtHand extends Blob {
  readonly whole: Buffer;

  constructor(bytes: Buffer) {
    super([new Uint8Array(bytes)]);
    this.whole = bytes;
  }

  override slice(start?: number, end?: number): Blob {
    return new BytesAtHand(this.whole.subarray(start, end));
  }
}

function readBlob(blob: Blob): ArrayBuffer {
  if (!(blob instanceof BytesAtHand)) throw new Error('This is no Blob of the test.');
  return new Uint8Array(blob.whole).buffer;
}

/** The product for GPUs, which computes on the CPU here. */
class Opened extends LlamaInNode<LlamaGpuModule> {
  static async of(files: readonly Buffer[], mostBytes: number): Promise<Opened> {
    const opened = new Opened(await makeLlama());
    const parts = files.map((bytes, index) => ({
      name: `part-${index}.gguf`,
      size: bytes.length,
      blob: new BytesAtHand(bytes),
    }));
    const limits = { mostBytes, sectionBytes: 50_000 };
    const { paths } = await GpuFiles.open(opened, storedFiles({ readBlob }, parts), limits);
    opened.loadPaths([...paths]);
    return opened;
  }

  /** The logits after a text. */
  told(text: string): number[] {
    const context = this.newContext(64, 32);
    this.decode(context, this.tokenize(text), 0);
    return this.logits(context);
  }
}

test.each([
  ['one file', [tinyGguf()]],
  ['split files', splitTinyGguf(2)],
])(
  'a model of %s that are larger than llama.cpp can read is read in sections',
  async (_, files) => {
    const whole = await Opened.of(files, 2 ** 31);
    const inSections = await Opened.of(files, 100_000);
    expect(inSections.told('the path of the forest')).toEqual(whole.told('the path of the forest'));
  },
);
