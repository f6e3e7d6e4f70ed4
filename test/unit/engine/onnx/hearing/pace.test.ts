import { afterEach, expect, test, vi } from 'vitest';
import { withSigns } from '../../../../../src/engine/onnx/hearing/pace.ts';

afterEach(() => vi.restoreAllMocks());

/** Runs work whose steps take `stepMs` each. */
async function run(stepMs: number, work: (onStep: () => Promise<void>) => Promise<string>) {
  let now = 0;
  let turns = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const signs = withSigns(
    'alive',
    () => Promise.resolve(void turns++),
    (onStep) =>
      work(() => {
        now += stepMs;
        return onStep();
      }),
  );
  for (let count = 0; ; count++) {
    const next = await signs.next();
    if (next.done) return { result: next.value, count, turns };
    expect(next.value).toBe('alive');
  }
}

test('each slow step is a sign of life and lets messages in', async () => {
  const work = async (onStep: () => Promise<void>) => {
    for (let step = 0; step < 5; step++) await onStep();
    return 'done';
  };
  expect(await run(1_000, work)).toEqual({ result: 'done', count: 5, turns: 5 });
  // Fast ones cost neither messages nor turns.
  expect(await run(30, work)).toEqual({ result: 'done', count: 1, turns: 1 });
});

test('the failure of the work is thrown after its signs', async () => {
  const failing = run(1_000, async (onStep) => {
    await onStep();
    throw new Error('enough');
  });
  await expect(failing).rejects.toThrow('enough');
});
