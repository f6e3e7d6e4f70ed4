import { expect, test } from 'vitest';
import { scorePrompt } from '../../../../../src/engine/conversation/sampling/prompt-score.ts';
import type { EmitRaw, Generation } from '../../../../../src/engine/conversation/text-model.ts';

/** Each letter is a token, but the model reads `ab` as one. Before each prompt it reads token 0. */
const TEXTS = ['<s>', 'a', 'b', 'c', 'ab'];

const tokenizer = {
  encode: async (text: string) => [
    0,
    ...[...text.matchAll(/ab|./g)].map(([piece]) => TEXTS.indexOf(piece)),
  ],
  decode: async (ids: readonly number[]) => ids.map((id) => TEXTS[id]).join(''),
  pieces: async (ids: readonly number[]) => ids.map((id) => TEXTS[id] ?? ''),
};
const vocabulary = {
  stripsFirstSpace: false,
  bytes: (id: number) => new TextEncoder().encode(TEXTS[id]),
};

/** @param written - how many of the forced tokens it writes */
async function score(prompt: string, written = Infinity) {
  const asked: { prompt: string; generation: Generation }[] = [];
  async function generate(
    text: string,
    generation: Generation,
    _signal: AbortSignal,
    emit: EmitRaw,
  ): Promise<void> {
    asked.push({ prompt: text, generation });
    for (const id of (generation.forced ?? []).slice(0, written)) {
      const tokens = [{ id, logprob: -id, top: [] }];
      emit({ type: 'text', text: TEXTS[id] ?? '', tokens, count: undefined });
    }
  }
  const parts = { model: { generate }, tokenizer, vocabulary, contextLength: 6 };
  const { signal } = new AbortController();
  return { asked, score: await scorePrompt(parts, prompt, 0, signal) };
}

test('the model reads the first token, and has to write the others', async () => {
  const { asked, score: found } = await score('bca');
  expect(asked).toMatchObject([{ prompt: 'b', generation: { forced: [3, 1], maxTokens: 2 } }]);
  expect(found.unscored.map(({ token }) => token)).toEqual(['b']);
  expect(found.scored.map(({ token, logprob }) => [token, logprob])).toEqual([
    ['c', -3],
    ['a', -1],
  ]);
});

test('a prompt of one token is not computed', async () => {
  const { asked, score: found } = await score('ab');
  expect(asked).toEqual([]);
  expect(found).toMatchObject({ unscored: [{ token: 'ab' }], scored: [] });
});

test('a prompt that the context does not hold is refused', async () => {
  await expect(score('cccccc')).rejects.toMatchObject({
    data: { code: 'context_length_exceeded', overflow: { prompt: 7, context: 6 } },
  });
});

test('an engine that stops too early is an error', async () => {
  await expect(score('bca', 1)).rejects.toMatchObject({ data: { code: 'engine_error' } });
});
