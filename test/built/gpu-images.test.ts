import { readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { LlamaInNode } from '../../models/llamacpp/llama-in-node.ts';
import { LlamaOnGpu } from '../../models/llamacpp/llama-on-gpu.ts';
import { openSoftwareGpu, softwareGpu } from '../support/software-gpu/software-gpu.ts';
import { tinySight, type Sight } from '../support/sight/tiny-sight.ts';
import { picture, readImage } from '../unit/support/models/read-image.ts';

// Shaders are compiled for the CPU here, which takes minutes on a busy machine.
vi.setConfig({ testTimeout: 600_000 });

/** The largest normalised mean squared error of logits that counts as rounding. Lavapipe's is below 2e-6. */
const MOST_ERROR = 1e-4;

const PACK = new URL('../../models/packs/tiny-see/', import.meta.url);
const SIZE = [70, 40] as const;
const BEFORE = '<|im_start|>user\n';
const AFTER = ' What is it?<|im_end|>\n<|im_start|>assistant\n';
/** A piece of Gemma 4 is read whole, and has about 80 tokens here. */
const BATCH = 128;

interface Files {
  model: Uint8Array;
  projector: Uint8Array;
}

const { gpu, missing } = await softwareGpu();

/** Opens a model on the CPU, with its projector. */
async function onCpu({ model, projector }: Files): Promise<LlamaInNode> {
  const llama = await LlamaInNode.load({ '/model.gguf': model });
  llama.module.FS.writeFile('/mmproj.gguf', projector);
  llama.loadProjector('/mmproj.gguf');
  return llama;
}

/** Opens a model on the GPU, with its projector. */
async function onGpu({ model, projector }: Files): Promise<LlamaOnGpu> {
  const llama = await LlamaOnGpu.open({ '/model.gguf': model }, gpu());
  await llama.openProjector(projector);
  return llama;
}

/** Like `readImage`, on the GPU. */
async function readOnGpu(llama: LlamaOnGpu, context: number, image: number): Promise<number> {
  let position = 0;
  const readText = async (tokens: number[]) => {
    await llama.compute(context, tokens, position);
    position += tokens.length;
  };
  await readText(llama.tokenize(BEFORE));
  const layout = llama.imageLayout(image);
  for (let at = 0, piece = 0; at < layout.length; at++) {
    const tokens = -(layout[at] ?? 0);
    if (tokens <= 0) {
      await readText([-tokens]);
      continue;
    }
    expect(await llama.encodePiece(image, piece++)).toBeGreaterThan(1);
    await llama.computeImage(context, 0, tokens, position);
    position += layout[++at] ?? 0;
  }
  await readText(llama.tokenize(AFTER));
  return position;
}

/** The logits after an image, a question and some tokens of the answer, and these tokens. */
interface Answer {
  logits: number[];
  tokens: number[];
}

function best(logits: readonly number[]): number {
  return logits.indexOf(Math.max(...logits));
}

function answerOnCpu(llama: LlamaInNode, count: number): Answer {
  const context = llama.newContext(512, BATCH);
  const image = llama.newImage(...SIZE, picture(...SIZE));
  let position = readImage(llama, { context, image }, BEFORE, AFTER);
  const logits = llama.logits(context);
  const tokens = [best(logits)];
  while (tokens.length < count) {
    llama.decode(context, tokens.slice(-1), position++);
    tokens.push(best(llama.logits(context)));
  }
  return { logits, tokens };
}

async function answerOnGpu(llama: LlamaOnGpu, count: number): Promise<Answer> {
  const context = llama.newContext(512, BATCH);
  const image = llama.newImage(...SIZE, picture(...SIZE));
  let position = await readOnGpu(llama, context, image);
  const logits = llama.logits(context);
  const tokens = [best(logits)];
  while (tokens.length < count) {
    await llama.compute(context, tokens.slice(-1), position++);
    tokens.push(best(llama.logits(context)));
  }
  return { logits, tokens };
}

function normalisedError(found: number[], expected: number[]): number {
  const squares = (values: number[]) => values.reduce((sum, value) => sum + value ** 2, 0);
  return squares(expected.map((value, i) => value - (found[i] ?? NaN))) / squares(expected);
}

describe.skipIf(missing)('on a GPU', () => {
  test.each<Sight>([
    ...(['idefics3', 'gemma3', 'qwen2vl_merger', 'qwen2.5vl_merger', 'qwen3vl_merger'] as const),
    'gemma4v',
  ])('an image with %s gives the logits that it gives on the CPU', async (sight) => {
    const files = tinySight(sight);
    const expected = answerOnCpu(await onCpu(files), 1);
    const found = await answerOnGpu(await onGpu(files), 1);
    expect(normalisedError(found.logits, expected.logits)).toBeLessThan(MOST_ERROR);
  });

  test('tiny-see says of an image what it says on the CPU', async () => {
    const read = (name: string) => readFileSync(new URL(name, PACK));
    const files = { model: read('tiny-see-F32.gguf'), projector: read('mmproj-tiny-see-F32.gguf') };
    const expected = answerOnCpu(await onCpu(files), 6);
    const found = await answerOnGpu(await onGpu(files), 6);
    expect(found.tokens).toEqual(expected.tokens);
    expect(normalisedError(found.logits, expected.logits)).toBeLessThan(MOST_ERROR);
  });

  test('a projector is refused with the name of an operation that the GPU lacks for large images; the CPU computes it then', async () => {
    const { model, projector } = tinySight('qwen2.5vl_merger');
    const llama = await LlamaOnGpu.open({ '/model.gguf': model }, gpu());
    // Lavapipe binds 128 MB.
    await expect(llama.openProjector(projector, 4096)).rejects.toThrow('IM2COL');
    llama.module.FS.writeFile('/in-memory.gguf', projector);
    llama.loadProjector('/in-memory.gguf');
    const expected = answerOnCpu(await onCpu({ model, projector }), 1);
    const found = await answerOnGpu(llama, 1);
    expect(normalisedError(found.logits, expected.logits)).toBeLessThan(MOST_ERROR);
  });

  test('a device that is lost while an image is encoded is an error of the call', async () => {
    const { model, projector } = tinySight('idefics3');
    const opened = await openSoftwareGpu();
    if ('missing' in opened) throw new Error(opened.missing);
    const llama = await LlamaOnGpu.open({ '/model.gguf': model }, opened);
    await llama.openProjector(projector);
    const image = llama.newImage(...SIZE, picture(...SIZE));
    const encoded = llama.encodePiece(image, 0);
    opened.device.destroy();
    await expect(encoded).rejects.toThrow();
  });
});
