import { expect, test } from 'vitest';
import { DRAFT_KINDS } from '../../../../../src/core/operations/drafts.ts';
import { MOST_OUTPUTS } from '../../../../../src/engine/llamacpp/worker/llama.ts';
import {
  anyGeneration,
  below,
  misquoted,
  oneOf,
  openRealModel,
  perhaps,
  PROMPTS,
  type Asked,
} from '../../../support/models/real-answers.ts';

const REQUESTS = Number(process.env['DRAFTED_REQUESTS'] ?? 80);

test('answers of a real model are the same with drafts and without, to the last bit of their probabilities', async () => {
  const [without, drafted] = [await openRealModel(0), await openRealModel(MOST_OUTPUTS - 1)];
  const accepted = { forced: 0, prediction: 0, lookup: 0 };
  for (let request = 0; request < REQUESTS; request++) {
    const [question, generation] = [oneOf(PROMPTS), anyGeneration()];
    const expected = await without.ask(question, generation);
    const prediction = misquoted(expected.answer.pieces.map(({ text }) => text).join(''));
    const given = { ...generation, ...perhaps({ prediction }) };
    const { answer, drafts } = await drafted.ask(question, given);
    expect(answer).toEqual(expected.answer);
    for (const kind of DRAFT_KINDS) accepted[kind] += drafts?.[kind]?.accepted ?? 0;
  }
  expect(drafted.decode.mock.calls.length).toBeLessThan(0.8 * without.decode.mock.calls.length);
  expect(Math.min(...Object.values(accepted))).toBeGreaterThan(10);
}, 240_000);

test('drafted answers that are stopped, or continued by another worker, are the same', async () => {
  const [without, drafted] = [await openRealModel(0), await openRealModel(MOST_OUTPUTS - 1)];
  for (let request = 0; request < REQUESTS / 2; request++) {
    const [question, generation] = [oneOf(PROMPTS), anyGeneration()];
    /** Both models get the same requests, so that their KV caches hold the same. */
    const ask = async (asked: Asked) => {
      const expected = await without.ask(question, generation, asked);
      const { answer } = await drafted.ask(question, generation, asked);
      expect(answer).toEqual(expected.answer);
      return answer.pieces;
    };
    await ask({ stopsAt: 2 + below(20) });
    const pieces = await ask({});
    await ask({ written: pieces.slice(0, below(pieces.length)).flatMap(({ ids }) => ids) });
  }
}, 240_000);
