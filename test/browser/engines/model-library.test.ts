import { askDirectly } from '../support/sites/direct.ts';
import { expect, openPage, test } from '../support/fixtures.ts';
import { sha256OfShards } from '../support/hub/pack-files.ts';
import { reference } from '../../support/reference.ts';
import { PACKS } from '../support/site.ts';

/** The largest difference of logprobs that counts as rounding. */
const TOLERANCE = 5e-3;
const TOP = 5;
/** One prefill takes at most this many tokens. */
const PREFILL_CHUNK = 256;

/** The conversations that are tried: the larger model takes minutes for a long prompt on a GPU in software. */
const TRIED = { 'tiny-chat': ['short', 'long'], 'smollm2-135m': ['short'] };

for (const [pack, names] of Object.entries(TRIED)) {
  test(`the model library of ${pack} computes what numpy computes`, async ({ fresh, site }) => {
    test.setTimeout(600_000);
    const { weightsSha256, conversations: all } = reference(pack);
    const conversations = all.filter(({ name }) => names.includes(name));
    expect(sha256OfShards(PACKS[pack] ?? '')).toBe(weightsSha256);
    const page = await openPage(fresh, site.url);
    for (const { name, turns } of conversations) {
      const texts: string[] = [];
      for (const [index, turn] of turns.entries()) {
        texts.push(turn.text);
        const { pieces, steps, promptTokens } = await askDirectly(page, {
          pack: `${site.url}packs/${pack}/`,
          turns: texts,
          maxTokens: turn.steps.length,
          top: 2 * TOP,
        });
        const where = `${name}, turn ${index + 1}`;
        // Only the new text is prefilled, so the turn continued in the KV cache.
        expect(promptTokens, where).toBe(turn.tokens.length);
        expect(pieces.join(''), where).toBe(turn.answer);
        expect(largestDifference(turn.steps, steps), where).toBeLessThan(TOLERANCE);
        texts.push(turn.answer);
      }
    }
    const longest = conversations.flatMap(({ turns }) => turns.map(({ tokens }) => tokens.length));
    if (names.includes('long')) expect(Math.max(...longest)).toBeGreaterThan(PREFILL_CHUNK);
    expect(Math.max(...conversations.map(({ turns }) => turns.length))).toBeGreaterThan(1);
  });
}

function largestDifference(expected: [number, number][][], actual: [number, number][][]): number {
  expect(actual.length).toBe(expected.length);
  const differences = expected.flatMap((step, index) => {
    const got = new Map(actual[index]);
    return step
      .slice(0, TOP)
      .map(([token, logprob]) => Math.abs((got.get(token) ?? -Infinity) - logprob));
  });
  return Math.max(...differences);
}
