import { expect, test } from 'vitest';
import { IMAGE_MARK, type PromptImage } from '../../../../../src/core/operations/jobs/jobs.ts';
import { withReferences } from '../../../../../src/engine/conversation/prompt/prompt-images.ts';
import { ImageTokens } from '../../../../../src/engine/llamacpp/worker/prompts/image-tokens.ts';
import { decodeFake, FakeLlama, PIECE } from '../../../support/fakes/fake-llama.ts';
import { openModel } from '../../../support/models/generating.ts';

function image(...bytes: number[]): PromptImage {
  return { file: Uint8Array.from(bytes), detail: 'auto', field: 'messages[0].content[0]' };
}

/** A request with these images where the text has `@`. */
function asked(text: string, ...images: PromptImage[]) {
  const content = text.replaceAll('@', IMAGE_MARK);
  const read = withReferences([{ role: 'user', content, images }]);
  return { prompt: read.messages[0]?.content ?? '', generation: { images: read.images } };
}

const WHOLE = ['#'.repeat(32), '#'.repeat(PIECE - 32)];
const SEEN = ['[', ...WHOLE, ',', ...WHOLE];

test('the pieces of an image are encoded and read between the texts around them', async () => {
  const { llama, ask } = openModel();
  const { usage, progress } = await ask(asked('see @ and say|A:', image(1, 2, 3)));
  expect(llama.batches.slice(0, 8)).toEqual(['see [', ...SEEN.slice(1), '] and say|A:', 'h']);
  const around = 'see [,] and say|A:'.length;
  expect(usage).toMatchObject({ promptTokens: 2 * PIECE + around, imageTokens: 2 * PIECE });
  expect(progress).toBeGreaterThan(8);
  // All images are freed, because their pixels take memory.
  expect(llama.images.size).toBe(0);
});

test('what the KV cache holds of an image is not computed again', async () => {
  const { llama, ask } = openModel({ contextLength: 500 });
  const first = asked('@ who|A:', image(1));
  await ask(first);
  const { usage } = await ask(asked('@ who|A:hi|and|A:', image(1)));
  expect(llama.batches[0]).toBe('|and|A:');
  expect(usage).toMatchObject({ imageTokens: 2 * PIECE });
  expect(usage.cachedTokens).toBeGreaterThan(2 * PIECE);
});

test('another image in the same place is read', async () => {
  const { llama, ask } = openModel({ contextLength: 500 });
  await ask(asked('@ who|A:', image(1)));
  await ask(asked('@ who|A:', image(2)));
  expect(llama.batches.slice(0, 6)).toEqual(SEEN);
  await ask(asked('@ who|A:', { ...image(2), detail: 'low' }));
  expect(llama.batches.slice(0, 6)).toEqual(SEEN);
});

test('a generation that is stopped while an image is encoded computes nothing more of it', async () => {
  const { llama, ask } = openModel();
  const stopped = asked('see @|A:', image(1));
  let turns = 0;
  await ask({ ...stopped, onTurn: (run) => (run.isStopped = ++turns >= 3) });
  expect(llama.batches).toEqual(['see [']);
  expect(turns).toBeLessThan(6);
  expect((await ask(stopped)).text).toBe('hi');
  expect(llama.images.size).toBe(0);
});

test('a prompt that is too long with its images is refused, and none is encoded', async () => {
  const { llama, ask } = openModel({ contextLength: 100 });
  await expect(ask(asked('see @ @|A:', image(1), image(2)))).rejects.toMatchObject({
    data: { code: 'context_length_exceeded' },
  });
  expect(llama.images.size).toBe(0);
});

test('the pieces of images that nobody needs any more are forgotten', async () => {
  const { images, contexts, ask } = openModel({ contextLength: 500 });
  let newest = 0;
  for (let number = 0; number < 80; number++) {
    await ask(asked('@ who|A:', image(number)));
    newest = Math.min(newest, ...contexts.tokens);
  }
  const known = Array.from({ length: -newest }, (_, place) => images.pieceAt([-1 - place], 0));
  expect(known.at(-1)).toMatchObject({ index: 1 });
  // Two pieces of each of the 64 images that were shown last.
  expect(known.filter((piece) => piece !== undefined).length).toBeLessThanOrEqual(2 * (64 + 32));
  expect(known[0]).toBeUndefined();
});

test('an answer that ends unread takes its pixels with it, although others go on', async () => {
  expect.assertions(1);
  let decoded = 0;
  const tokens = new ImageTokens(new FakeLlama(), (shown) => {
    decoded++;
    return decodeFake(shown);
  });
  const { prompt, generation } = asked('@', image(1));
  const { images } = generation;
  const [[key, shown] = ['', image()]] = images;
  const read = () => tokens.read(prompt, images, true).then(() => undefined);
  await tokens.during(
    new Map(),
    () => [],
    async () => {
      await tokens.during(images, () => [], read);
      await tokens.open(key, shown);
      expect(decoded).toBe(2);
    },
  );
});
