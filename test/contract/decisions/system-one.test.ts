import { describe, expect, test } from 'vitest';
import { MODEL, openApi } from '../support/api.ts';
import { errorOf, json } from '../support/read.ts';

const PATH = '/systemone';
const SYSTEM_ONE = {
  model: MODEL,
  state: { message: 'I was charged twice.' },
  questions: {
    urgent: {
      type: 'noul',
      instructions: 'Is it urgent?',
      criteria: { true: 'today', false: 'later' },
    },
    team: {
      type: 'choice',
      instructions: 'Which team?',
      criteria: { ab: 'Payments', abcdef: null },
    },
    anger: { type: 'score', criteria: ['ab', 'abcd', 'ef'] },
  },
};

describe('POST /v1/systemone', () => {
  test('answers by the names of the questions', async () => {
    const api = await openApi();
    expect(await json(await api.post(PATH, SYSTEM_ONE))).toEqual({
      model: MODEL,
      answers: {
        urgent: { type: 'noul', noul: 0.75, coverage: 0.5 },
        team: {
          type: 'choice',
          choice: 'abcdef',
          confidence: 0.5,
          probabilities: { ab: 0.25, abcdef: 0.75 },
          coverage: 1,
        },
        anger: {
          type: 'score',
          score: 1,
          confidence: expect.closeTo(0.25, 12),
          probabilities: { 0: 0.25, 1: 0.5, 2: 0.25 },
          legend: { 0: 'ab', 1: 'abcd', 2: 'ef' },
          coverage: 1,
        },
      },
      calibration: { method: 'none' },
      usage: { input_tokens: 4, output_tokens: 0 },
    });
    expect(api.engine.decisions[0]?.job.prompt.messages).toEqual([
      { role: 'user', content: '{"message":"I was charged twice."}' },
      { role: 'user', content: 'Is it urgent?\nYes: today\nNo: later' },
      { role: 'user', content: 'Which team?' },
      { role: 'user', content: '' },
    ]);
  });

  test.each([
    [{ state: undefined }, 'state', null],
    [{ questions: {} }, 'questions', 'empty_array'],
    [{ questions: { a: { type: 'box' } } }, 'questions.a.type', 'unsupported_value'],
    [{ questions: { a: { type: 'choice' } } }, 'questions.a.criteria', null],
    [{ questions: { a: { type: 'choice', criteria: { x: null } } } }, 'questions.a.criteria', null],
    [
      { questions: { a: { type: 'choice', criteria: { x: 1, y: 2 } } } },
      'questions.a.criteria.x',
      null,
    ],
    [{ questions: { a: { type: 'score', criteria: ['x'] } } }, 'questions.a.criteria', null],
    [{ questions: { a: { type: 'noul', instructions: 7 } } }, 'questions.a.instructions', null],
    [{ images: ['x'] }, 'images', 'unsupported_value'],
    [{ stream: true }, 'stream', 'unsupported_value'],
  ])('refuses %j', async (change, param, code) => {
    const api = await openApi();
    const error = await errorOf(await api.post(PATH, { ...SYSTEM_ONE, ...change }));
    expect(api.engine.decisions).toEqual([]);
    expect(error).toMatchObject({ status: 400, param, code });
  });
});
