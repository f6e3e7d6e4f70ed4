import fc from 'fast-check';
import { expect, test } from 'vitest';
import { answerChances } from '../../../../../src/engine/conversation/decisions/answer-chances.ts';
import { TokenIndex } from '../../../../../src/engine/conversation/decisions/token-index.ts';

const END = 0;
const encoder = new TextEncoder();

/** A vocabulary whose first token ends a turn. */
function vocabularyOf(tokens: readonly string[], stripsFirstSpace = false) {
  const bytes = ['<end>', ...tokens].map((text) => encoder.encode(text));
  return { stripsFirstSpace, bytes: (id: number) => bytes[id] ?? new Uint8Array() };
}

/** Chances that depend on nothing but the path. */
function modelOf(seed: number, size: number) {
  const logit = (path: readonly number[], id: number) => {
    const mixed = [...path, id, seed].reduce((hash, each) => (hash * 31 + each + 7) % 9973, 17);
    return (mixed / 9973) * 6;
  };
  return (path: readonly number[]): number[] => {
    const weights = Array.from({ length: size }, (_, id) => Math.exp(logit(path, id)));
    const sum = weights.reduce((a, b) => a + b);
    return weights.map((each) => each / sum);
  };
}

/** Constrained writing, token by token, along every path: how likely each text is in the end. */
function written(
  texts: readonly string[],
  tokens: readonly string[],
  chancesAfter: (path: readonly number[]) => number[],
): Map<string, number> {
  const found = new Map<string, number>();
  const write = (path: readonly number[], text: string, chance: number) => {
    const all = ['', ...tokens].map((token, id) => ({ id, next: text + token }));
    const allowed = all.filter(({ id, next }) =>
      id === END ? texts.includes(text) : texts.some((each) => each.startsWith(next)),
    );
    const chances = chancesAfter(path);
    const sum = allowed.reduce((total, { id }) => total + (chances[id] ?? 0), 0);
    for (const { id, next } of allowed) {
      const share = chance * ((chances[id] ?? 0) / sum);
      if (id === END) found.set(text, (found.get(text) ?? 0) + share);
      else write([...path, id], next, share);
    }
  };
  write([], '', 1);
  return found;
}

test('is what constrained writing at temperature 1 gives, whatever the vocabulary and the texts', async () => {
  const text = fc.stringMatching(/^[abc]{1,4}$/);
  const world = fc.record({
    texts: fc.uniqueArray(text, { minLength: 2, maxLength: 5 }),
    further: fc.uniqueArray(fc.stringMatching(/^[abc]{2,3}$/), { maxLength: 6 }),
    seed: fc.nat(1000),
  });
  await fc.assert(
    fc.asyncProperty(world, async ({ texts, further, seed }) => {
      const tokens = ['a', 'b', 'c', ...further];
      const chancesAfter = modelOf(seed, tokens.length + 1);
      const reader = {
        index: new TokenIndex(vocabularyOf(tokens), tokens.length + 1, (id) => id !== END),
        endTokenIds: [END],
        read: (path: readonly number[], ids: readonly number[]) =>
          Promise.resolve(ids.map((id) => Math.log(chancesAfter(path)[id] ?? 0))),
      };
      const { probabilities, coverage } = await answerChances(
        reader,
        texts.map((each) => [each]),
      );
      const expected = written(texts, tokens, chancesAfter);
      for (const [at, each] of texts.entries()) {
        expect(probabilities[at]).toBeCloseTo(expected.get(each) ?? 0, 2);
      }
      expect(probabilities.reduce((a, b) => a + b)).toBeCloseTo(1, 12);
      expect(coverage).toBeGreaterThan(0);
      expect(coverage).toBeLessThanOrEqual(1);
    }),
    { numRuns: 200 },
  );
});

test('an answer may have several spellings, and a token’s first space is dropped where decoding drops it', async () => {
  const tokens = ['Yes', ' Yes', 'No', ' No'];
  const asked: string[][] = [];
  const read = (_: readonly number[], ids: readonly number[]) => {
    asked.push(ids.map((id) => tokens[id - 1] ?? ''));
    return Promise.resolve(ids.map(() => Math.log(1 / 8)));
  };
  const parts = { endTokenIds: [END], read };
  const index = (strips: boolean) =>
    new TokenIndex(vocabularyOf(tokens, strips), 5, (id) => id > 0);
  const spelt = await answerChances({ ...parts, index: index(false) }, [
    ['Yes', ' Yes'],
    ['No', ' No'],
  ]);
  expect(spelt).toEqual({ probabilities: [0.5, 0.5], coverage: expect.closeTo(0.5, 12) });
  await answerChances({ ...parts, index: index(false) }, [['Yes'], ['No']]);
  await answerChances({ ...parts, index: index(true) }, [['Yes'], ['No']]);
  expect(asked.map((each) => each.toSorted())).toEqual([
    [' No', ' Yes', 'No', 'Yes'],
    ['No', 'Yes'],
    [' No', ' Yes', 'No', 'Yes'],
  ]);
});
