import { readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import * as v from 'valibot';
import { LlamaInNode } from '../../models/llamacpp/llama-in-node.ts';
import { tinySight, type Sight } from '../support/sight/tiny-sight.ts';
import { picture, readImage } from '../unit/support/models/read-image.ts';

// Compiling llama.cpp takes seconds on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

/** The largest difference of logits that counts as rounding. */
const TOLERANCE = 2e-3;

type Size = readonly [width: number, height: number];

const SIZE: Size = [70, 40];
const BEFORE = '<|im_start|>user\n';
const AFTER = ' What is it?<|im_end|>\n<|im_start|>assistant\n';
/** A piece of Gemma 4 is read whole, and has about 80 tokens here. */
const BATCH = 128;

/** Logits after prompts, by a native build of the same llama.cpp without our changes. */
const NATIVE = v.parse(
  v.record(v.string(), v.array(v.number())),
  JSON.parse(
    readFileSync(new URL('../fixtures/reference/tiny-sight.json', import.meta.url), 'utf8'),
  ),
);

async function load(sight: Sight): Promise<LlamaInNode> {
  const { model, projector } = tinySight(sight);
  const llama = await LlamaInNode.load({ '/model.gguf': model });
  llama.module.FS.writeFile('/mmproj.gguf', projector);
  llama.loadProjector('/mmproj.gguf');
  return llama;
}

/** Each model is loaded once, because each load compiles llama.cpp again. */
const loaded = new Map<Sight, Promise<LlamaInNode>>();

/** A new context of a model. */
async function open(sight: Sight) {
  const loading = loaded.get(sight) ?? load(sight);
  loaded.set(sight, loading);
  const llama = await loading;
  return { llama, context: llama.newContext(512, BATCH) };
}

type Opened = Awaited<ReturnType<typeof open>>;

/** Reads a text, an image and a text. @returns the position after them */
function readAt(opened: Opened, from: number, before: string, size: Size, after: string): number {
  const { llama, context } = opened;
  const image = llama.newImage(...size, picture(...size));
  const end = readImage(llama, { context, image }, before, after, from);
  llama.module._lc_free_image(image);
  return end;
}

function read(opened: Opened): number[] {
  readAt(opened, 0, BEFORE, SIZE, AFTER);
  return opened.llama.logits(opened.context);
}

function expectNear(logits: number[], expected: number[] = [], most = TOLERANCE): void {
  expect(logits).toHaveLength(expected.length);
  for (const [token, logit] of logits.entries()) {
    expect(Math.abs(logit - (expected[token] ?? NaN))).toBeLessThan(most);
  }
}

/** llama.cpp's pieces of the image of 70 × 40 pixels: their number, and each one's tokens and positions. */
const PIECES: [sight: Sight, count: number, tokens: number, positions: number][] = [
  ['idefics3', 2, 4, 4],
  ['gemma3', 1, 4, 4],
  ['qwen2vl_merger', 1, 12, 4],
  ['qwen2.5vl_merger', 1, 12, 4],
  ['qwen3vl_merger', 1, 12, 4],
  ['gemma4v', 1, 84, 84],
  ['gemma4v of E2B', 1, 84, 84],
];

describe.each(PIECES)('an image with %s', (sight, count, tokens, positions) => {
  test('gives the logits of a native llama.cpp', async () => {
    expectNear(read(await open(sight)), NATIVE[sight]);
  });

  test('gives them also after tokens that follow one by one', async () => {
    const opened = await open(sight);
    const { llama, context } = opened;
    let position = readAt(opened, 0, BEFORE, SIZE, AFTER);
    for (const token of llama.tokenize('A r')) llama.decode(context, [token], position++);
    expectNear(llama.logits(context), NATIVE[`${sight}, continued`]);
  });

  test('gives them also with a second image of another size', async () => {
    const opened = await open(sight);
    const between = readAt(opened, 0, BEFORE, SIZE, ' and ');
    readAt(opened, between, '', [40, 90], AFTER);
    expectNear(opened.llama.logits(opened.context), NATIVE[`${sight}, two images`]);
  });

  test('has the pieces that llama.cpp gives it', async () => {
    const { llama } = await open(sight);
    const layout = llama.imageLayout(llama.newImage(...SIZE));
    const found = layout.flatMap((number, at) => (number < 0 ? [[-number, layout[at + 1]]] : []));
    expect(found).toEqual(Array.from({ length: count }, () => [tokens, positions]));
  });

  test('gives the same again after what was read before is removed', async () => {
    const opened = await open(sight);
    const first = read(opened);
    const position = opened.llama.tokenize(BEFORE).length;
    expect(opened.llama.keep(opened.context, position)).toBe(1);
    opened.llama.keep(opened.context, 0);
    expectNear(read(opened), first, 1e-4);
  });

  test('gives the same again if only what follows it is removed', async () => {
    const opened = await open(sight);
    const { llama, context } = opened;
    const after = llama.tokenize(AFTER);
    const first = read(opened);
    const end = readAt(opened, 0, BEFORE, SIZE, '');
    expect(llama.decode(context, llama.tokenize('something else'), end)).toBe(0);
    expect(llama.keep(context, end)).toBe(1);
    llama.decode(context, after, end);
    expectNear(llama.logits(context), first, 1e-4);
  });

  test('is counted from its size alone, and cannot be encoded then', async () => {
    const { llama } = await open(sight);
    const [counted, shown] = [llama.newImage(...SIZE), llama.newImage(...SIZE, picture(...SIZE))];
    expect(llama.imageLayout(counted)).toEqual(llama.imageLayout(shown));
    expect(() => llama.encode(counted, 0)).toThrow('could not read this image');
    expect(llama.encode(shown, 0, 0)).toBeGreaterThan(10);
  });
});

test.each<Sight>(['qwen2.5vl_merger', 'qwen3vl_merger', 'gemma4v of E2B'])(
  'an image with %s may be read in parts',
  async (sight) => {
    const { llama, context } = await open(sight);
    const image = llama.newImage(...SIZE, picture(...SIZE));
    readImage(llama, { context, image, batch: 5 }, BEFORE, AFTER);
    expectNear(llama.logits(context), NATIVE[sight]);
  },
);

test('an image of low detail is shown without its slices', async () => {
  const { llama } = await open('idefics3');
  const layouts = [false, true].map((low) =>
    llama.imageLayout(llama.newImage(...SIZE, undefined, low)),
  );
  const [whole, low] = layouts.map((layout) => layout.filter((number) => number === -4).length);
  expect([whole, low]).toEqual([2, 1]);
});

describe('what cannot be done is refused, and nothing breaks:', () => {
  test('images without a projector', async () => {
    const llama = await LlamaInNode.load({ '/model.gguf': tinySight('gemma3').model });
    expect(() => llama.newImage(8, 8)).toThrow('no projector');
  });

  test('a second projector, an image or a piece that is not there, and tokens beyond a piece', async () => {
    const llama = await load('gemma3');
    const context = llama.newContext(512, BATCH);
    expect(() => llama.loadProjector('/mmproj.gguf')).toThrow('already');
    expect(() => llama.imageLayout(3)).toThrow('no image 3');
    const image = llama.newImage(8, 8, picture(8, 8));
    expect(() => llama.encode(image, 1)).toThrow('only 1 piece');
    expect(() => llama.decodeImage(context, 0, 4, 0)).toThrow('No image is encoded');
    llama.encode(image, 0);
    expect(() => llama.decodeImage(context, 0, 5, 0)).toThrow('only 4 tokens');
    expect(() => llama.decodeImage(context, 0, 4, 1)).toThrow('has only 0 tokens');
    expect(llama.decodeImage(context, 0, 4, 0)).toBe(0);
  });

  test('a file that is no projector', async () => {
    const { model } = tinySight('gemma3');
    const llama = await LlamaInNode.load({ '/model.gguf': model });
    expect(() => llama.loadProjector('/model.gguf')).toThrow('could not load the projector');
  });
});
