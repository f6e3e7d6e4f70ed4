import { readFileSync } from 'node:fs';
import { beforeEach, expect, test } from 'vitest';
import { toErrorData } from '../../../../../src/core/errors/errors.ts';
import { consequenceOf } from '../../../../../src/engine/road/failure-policy.ts';
import { openTextsOnGpu } from '../../../../../src/engine/llamacpp/worker/retrieval/open-texts.ts';
import { FakeGpu } from '../../../support/fakes/fake-gpu.ts';
import { BASE, openerOf, part, trust } from '../../../support/models/gpu-worker.ts';

const EMBEDDER = new URL(
  '../../../../../models/packs/tiny-embed-gguf/tiny-embed-F16.gguf',
  import.meta.url,
);

let fake: FakeGpu;
beforeEach(async () => {
  fake = new FakeGpu();
  await trust(fake);
});

async function open(bytes: Uint8Array = readFileSync(EMBEDDER)) {
  return openTextsOnGpu(await openerOf(fake)(), [part('embed.gguf', bytes)], BASE);
}

const TEXTS = [{ ids: [2, 10, 11, 3], promptTokens: 0 }];

test.each<[string, () => void]>([
  ['is lost', () => fake.lose()],
  ['is used wrongly', () => fake.report('invalid bind group')],
  ['has no memory for more texts', () => (fake.hasRoom = false)],
])('a GPU that %s while it embeds texts gives its work to another worker', async (_, breakGpu) => {
  const texts = await open();
  expect(await texts.compute(TEXTS)).toHaveLength(1);
  breakGpu();
  const many = Array.from({ length: 20 }, () => ({ ids: Array(40).fill(10), promptTokens: 0 }));
  const error: unknown = await texts.compute(many).catch((reason: unknown) => reason);
  expect(toErrorData(error)).toMatchObject({ code: 'engine_error', status: 500 });
  const model = { task: 'embedding', engine: 'llamacpp' } as const;
  expect(consequenceOf(model, error, 'answer')).toBe('worker replaced');
});

test('an embedder whose file ends too early is not the fault of the GPU', async () => {
  await expect(open(readFileSync(EMBEDDER).subarray(0, 500_000))).rejects.toThrow('cut off');
});
