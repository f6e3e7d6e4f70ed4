import { expect, test, vi } from 'vitest';
import makeLlama from '../../../models/llamacpp/built/llamacpp-gpu.js';
import { LlamaInNode } from '../../../models/llamacpp/llama-in-node.ts';
import type { LlamaGpuModule } from '../../../models/llamacpp/module.ts';
import { ArrivingFiles } from '../../../src/engine/llamacpp/worker/gpu/arriving-files.ts';
import { GpuFiles } from '../../../src/engine/llamacpp/worker/gpu/gpu-files.ts';
import { tinyGguf } from '../../support/gguf/tiny-gguf.ts';

/** Bytes of a piece: no multiple of anything. */
const PIECE = 99_991;

const SHAPE = { width: 256, innerWidth: 512, layers: 4 };

/** The product for GPUs, which computes on the CPU here. */
class Opened extends LlamaInNode<LlamaGpuModule> {
  static async new(): Promise<Opened> {
    return new Opened(await makeLlama());
  }
}

/** The logits after a text. */
function told(llama: LlamaInNode): number[] {
  const context = llama.newContext(64, 32);
  llama.decode(context, llama.tokenize('the path of the forest'), 0);
  return llama.logits(context);
}

test.each([
  ['F32', tinyGguf({ shape: SHAPE }), undefined],
  ['Q8_0', tinyGguf({ shape: { ...SHAPE, layers: 8, isQuantised: true } }), undefined],
  ['F32 in sections', tinyGguf({ shape: SHAPE }), { mostBytes: 2 ** 20, sectionBytes: 2 ** 20 }],
])(
  'a model of %s whose weights arrive after it was opened is the same',
  async (_, file, limits) => {
    const opened = await Opened.new();
    const gpu = { module: opened.module, finish: () => Promise.resolve() };
    const part = { name: 'model.gguf', size: file.length };
    const arriving = new ArrivingFiles(gpu, part, undefined);
    const opening = GpuFiles.open(opened, [arriving.model], limits);
    const taken = vi.fn<() => void>();
    const filling = (async () => {
      for (let at = 0; at < file.length; at += PIECE) {
        await arriving.fill(0, [Uint8Array.from(file.subarray(at, at + PIECE))]);
        taken();
      }
    })();
    const { paths, headers } = await opening;
    // What follows the header waits for the model.
    expect(taken.mock.calls.length * PIECE).toBeLessThan(file.length / 2);
    opened.loadPaths([...paths]);
    arriving.begin(headers);
    await filling;
    await arriving.whole();
    const whole = await LlamaInNode.load({ '/model.gguf': file }, makeLlama);
    expect(told(opened)).toEqual(told(whole));
  },
);
