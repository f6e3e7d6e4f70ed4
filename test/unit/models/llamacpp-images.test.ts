import { readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import * as v from 'valibot';
import { LlamaInNode } from '../../../models/llamacpp/llama-in-node.ts';
import { tinySight, type Sight } from '../../support/tiny-sight.ts';
import { picture, readImage } from '../support/read-image.ts';

// To compile llama.cpp takes seconds on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

/** The largest difference of logits that counts as rounding. */
const TOLERANCE = 2e-3;
const SIZE = [70, 40] as const;
const BEFORE = '<|im_start|>user\n';
const AFTER = ' What is it?<|im_end|>\n<|im_start|>assistant\n';

/** Logits after that prompt, by a native build of the same llama.cpp without our changes. */
const NATIVE = v.parse(
  v.record(v.string(), v.array(v.number())),
  JSON.parse(
    readFileSync(new URL('../../fixtures/reference/tiny-sight.json', import.meta.url), 'utf8'),
  ),
);

async function open(sight: Sight) {
  const { model, projector } = tinySight(sight);
  const llama = await LlamaInNode.load({ '/model.gguf': model });
  llama.module.FS.writeFile('/mmproj.gguf', projector);
  llama.loadProjector('/mmproj.gguf');
  return { llama, context: llama.newContext(512, 64) };
}

function read({ llama, context }: Awaited<ReturnType<typeof open>>): number[] {
  const image = llama.newImage(...SIZE, picture(...SIZE));
  readImage(llama, { context, image }, BEFORE, AFTER);
  llama.module._lc_free_image(image);
  return llama.logits(context);
}

describe.each<Sight>(['idefics3', 'gemma3', 'qwen2vl_merger'])('an image with %s', (sight) => {
  test('gives the logits of a native llama.cpp', async () => {
    const logits = read(await open(sight));
    const expected = NATIVE[sight] ?? [];
    expect(logits).toHaveLength(expected.length);
    for (const [token, logit] of logits.entries()) {
      expect(Math.abs(logit - (expected[token] ?? NaN))).toBeLessThan(TOLERANCE);
    }
  });

  test('gives the same again after what was read before is removed', async () => {
    const opened = await open(sight);
    const first = read(opened);
    const position = opened.llama.tokenize(BEFORE).length;
    expect(opened.llama.keep(opened.context, position)).toBe(1);
    opened.llama.keep(opened.context, 0);
    const again = read(opened);
    for (const [token, logit] of again.entries()) {
      expect(Math.abs(logit - (first[token] ?? NaN))).toBeLessThan(1e-4);
    }
  });

  test('is counted from its size alone, and cannot be encoded then', async () => {
    const { llama } = await open(sight);
    const [counted, shown] = [llama.newImage(...SIZE), llama.newImage(...SIZE, picture(...SIZE))];
    expect(llama.imageLayout(counted)).toEqual(llama.imageLayout(shown));
    expect(() => llama.encode(counted, 0)).toThrow('could not read this image');
    expect(llama.encode(shown, 0, 0)).toBeGreaterThan(10);
  });
});

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
    const { llama, context } = await open('gemma3');
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
