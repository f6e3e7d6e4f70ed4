import { describe, expect, test } from 'vitest';
import type { GenerateJob } from '../../../../../src/core/operations/jobs/jobs.ts';
import { Continuation } from '../../../../../src/engine/conversation/answer/continuation.ts';

const WRITTEN = ['one', ' two', ' three'].map((text, index) => ({ text, tokens: 2 * (index + 1) }));
const JOB: GenerateJob = {
  op: 'generate',
  model: 'm',
  prompt: { kind: 'raw', text: 'Hi' },
  sampling: {},
  stop: [],
  checkpoints: true,
  written: WRITTEN,
};

describe('an answer that another engine began', () => {
  test('continues after what was written', () => {
    const continued = new Continuation(JOB, {}, true);
    expect([continued.text, continued.tokens]).toEqual(['one two three', 6]);
    expect(continued.past().map(({ text }) => text)).toEqual(['one', ' two', ' three']);
    expect(continued.past().flatMap(({ checkpoint }) => checkpoint)).toEqual(
      WRITTEN.map((piece) => ({ type: 'written', piece })),
    );
    expect(continued.checkpoint(' four', 1)).toEqual([
      { type: 'written', piece: { text: ' four', tokens: 7 } },
    ]);
  });

  test('has the usage of an answer without an interruption', () => {
    const usage = { promptTokens: 10 + 6, completionTokens: 3, cachedTokens: 0 };
    expect(new Continuation(JOB, {}, true).usage(usage)).toEqual({
      promptTokens: 10,
      completionTokens: 9,
      cachedTokens: 0,
    });
    // The cached part may extend into the answer.
    const cached = { ...usage, cachedTokens: 12 };
    expect(new Continuation(JOB, {}, true).usage(cached)).toMatchObject({ cachedTokens: 10 });
  });

  test('leaves at least one token to write', () => {
    expect(new Continuation({ ...JOB, maxTokens: 6 }, {}, true).text).toBe('one two');
    expect(new Continuation({ ...JOB, maxTokens: 1 }, {}, true).text).toBe('');
  });

  test.each([
    ['a format holds the output', JOB, {}, false],
    ['tokens are penalised', JOB, { frequencyPenalty: 0.5 }, true],
    ['repetition is penalised', JOB, { repetitionPenalty: 1.1 }, true],
    ['logprobs are wanted', { ...JOB, topLogprobs: 0 }, {}, true],
    ['it is one of several', { ...JOB, choices: 2 }, {}, true],
    ['it is over, by a stop string', { ...JOB, stop: ['two th'] }, {}, true],
  ])('is generated again if %s', (_, job, sampling, isFree) => {
    expect(new Continuation(job, sampling, isFree).tokens).toBe(0);
  });

  test('is continued only before a token that the text does not show', () => {
    const continued = new Continuation(JOB, {}, true);
    expect(continued.checkpoint(' four', 1)).not.toEqual([]);
    expect(continued.checkpoint('', 2, true)).toEqual([]);
    expect(continued.checkpoint(' five', 3)).toEqual([]);
  });

  test('sends checkpoints only if they were asked for and the number of tokens is known', () => {
    const { checkpoints: _, ...job } = JOB;
    expect(new Continuation(job, {}, true).checkpoint('x', 1)).toEqual([]);
    expect(new Continuation(JOB, {}, true).checkpoint('x', undefined)).toEqual([]);
  });
});
