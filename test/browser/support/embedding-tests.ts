import type { Page } from 'playwright/test';
import { say } from './chat.ts';
import { generateJob, overtake } from './engine-jobs.ts';
import { expect, TINY } from './fixtures.ts';
import {
  abortUnderWay,
  dot,
  embed as embedWith,
  embeddingCases as cases,
  test,
} from './searching.ts';
import { RANKER } from './site.ts';

/** Texts that take many seconds. */
const MANY = Array.from({ length: 2_048 }, () => 'Bread and butter. '.repeat(30));
/** Most texts in the first slice of a job: src/engine/retrieval/text-slices.ts. */
const FIRST_SLICE = 32;

/** The share of the texts whose own partner is the nearest of all partners. */
function found(texts: number[][], partners: number[][]): number {
  const hits = texts.filter((text, place) => {
    const own = dot(text, partners[place]);
    return partners.every((partner, other) => other === place || dot(text, partner) < own);
  });
  return hits.length / texts.length;
}

/** The tests of tiny-embed, on any engine. */
export function testEmbeddings(model: string): void {
  const embed = (page: Page, input: string[], rest: object = {}) =>
    embedWith(page, input, { model, ...rest });

  test.describe(`embeddings of ${model}`, () => {
    test('are those that the model was trained to give, and of length 1', async ({ searching }) => {
      const texts = cases.vectors.map(({ text }) => text);
      const vectors = await embed(searching, texts);
      for (const [place, { vector_start: start }] of cases.vectors.entries()) {
        expect(vectors[place]).toHaveLength(128);
        expect(dot(vectors[place], vectors[place])).toBeCloseTo(1, 5);
        for (const [index, value] of start.entries()) {
          expect(vectors[place]?.[index]).toBeCloseTo(value, 3);
        }
      }
    });

    test('count tokens as the model reads them, special ones included', async ({ searching }) => {
      for (const { text, tokens } of cases.vectors) {
        const { usage } = await searching.evaluate(
          ([id, input]) => window.client.embeddings.create({ model: id, input }),
          [model, text] as const,
        );
        expect(usage).toEqual({ prompt_tokens: tokens, total_tokens: tokens });
      }
    });

    test('find paraphrases, also when they are cut', async ({ searching }) => {
      const texts = cases.paraphrases.map(({ text }) => text);
      const partners = cases.paraphrases.map(({ paraphrase }) => paraphrase);
      for (const dimensions of [128, 32]) {
        const [a, b] = [
          await embed(searching, texts, { dimensions }),
          await embed(searching, partners, { dimensions }),
        ];
        expect(a[0]).toHaveLength(dimensions);
        expect(dot(a[0], a[0])).toBeCloseTo(1, 5);
        expect(found(a, b)).toBeGreaterThanOrEqual(0.95);
      }
    });

    test('find the passage of a question, with the model’s own prompts', async ({ searching }) => {
      const questions = cases.questions.map(({ query }) => query);
      const passages = cases.questions.map(({ passage }) => passage);
      const a = await embed(searching, questions, { input_type: 'query' });
      const b = await embed(searching, passages, { input_type: 'document' });
      expect(found(a, b)).toBeGreaterThanOrEqual(0.95);
      const plain = await embed(searching, questions.slice(0, 1));
      expect(dot(plain[0], a[0])).toBeLessThan(0.999);
    });

    test('do not hold up a chat: it writes while they are computed', async ({ searching }) => {
      // Both are in memory, so that neither waits for its model.
      await embed(searching, ['Bread']);
      expect(await say(searching, 'Say blue.')).toBe('blue');
      const { before, after, wasFirst } = await overtake(searching, {
        batch: { op: 'embed', model, texts: MANY },
        other: generateJob('Say blue.'),
      });
      expect(wasFirst).toBe(false);
      expect(before).toBeLessThan(after);
      expect(after).toBeLessThan(MANY.length);
    });

    test('of many texts let others pass after one slice', async ({ searching }) => {
      await embed(searching, ['Bread']);
      const { before, wasFirst } = await overtake(searching, {
        batch: { op: 'embed', model, texts: MANY, client: 'a' },
        other: { op: 'embed', model, texts: ['Bread'], client: 'b' },
      });
      expect(wasFirst).toBe(false);
      expect(before).toBeGreaterThan(0);
      expect(before).toBeLessThanOrEqual(FIRST_SLICE);
    });

    test('of many texts come in their order, and do not hold up a chat', async ({ searching }) => {
      const texts = Array.from({ length: 2_048 }, (_, place) =>
        `${place % 7} apples `.repeat(1 + (place % 13)),
      );
      const all = embed(searching, texts);
      expect(await say(searching, 'Say blue.')).toBe('blue');
      const vectors = await all;
      expect(vectors).toHaveLength(2_048);
      const [single] = await embed(searching, [texts[700] ?? '']);
      expect(dot(single, vectors[700])).toBeCloseTo(1, 4);
    });

    test('end at an abort', async ({ searching, retrievalHold }) => {
      const input = Array.from({ length: 2_048 }, () => 'Bread and butter. '.repeat(20));
      const body = { model, input };
      expect(await abortUnderWay(searching, retrievalHold, 'embeddings', body)).toBe('AbortError');
      expect(await embed(searching, ['Bread'])).toHaveLength(1);
    });

    test('bad requests get a clear error', async ({ searching }) => {
      const refusal = (body: object) =>
        searching.evaluate((whole) => window.refusalOf(window.client.embeddings.create(whole)), {
          model,
          input: 'a',
          ...body,
        });
      expect(await refusal({ input: ['a', 'word '.repeat(300)] })).toMatchObject({
        status: 400,
        code: 'context_length_exceeded',
        param: 'input[1]',
        message: expect.stringContaining('at most 256'),
      });
      expect(await refusal({ dimensions: 129 })).toMatchObject({
        status: 400,
        code: 'unsupported_value',
        param: 'dimensions',
      });
      for (const other of [TINY, RANKER]) {
        expect(await refusal({ model: other })).toMatchObject({ status: 400, param: 'model' });
      }
      expect(await refusal({ model: 'o/none' })).toMatchObject({ status: 404 });
    });
  });
}
