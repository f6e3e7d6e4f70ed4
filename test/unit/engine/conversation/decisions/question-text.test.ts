import { describe, expect, test } from 'vitest';
import type { DecisionQuestion } from '../../../../../src/core/operations/jobs/jobs.ts';
import {
  answerNames,
  askedQuestion,
} from '../../../../../src/engine/conversation/decisions/question-text.ts';

const byCharacters = (text: string) => Promise.resolve(text.length);
const choiceOf = (texts: readonly string[]) => ({
  type: 'choice' as const,
  options: texts.map((text) => ({ text })),
});

async function asked(question: DecisionQuestion, instructions: string, isReversed: boolean) {
  const names = await answerNames(question, byCharacters);
  return askedQuestion(question, names, instructions, isReversed);
}

async function answersOf(texts: readonly string[]) {
  return (await asked(choiceOf(texts), 'Which?', false)).answers.flat();
}

describe('a choice', () => {
  test('is asked with the options’ own words, in either order', async () => {
    const question = {
      type: 'choice' as const,
      options: [{ text: 'billing', description: 'Payments' }, { text: 'sales' }],
    };
    expect(await asked(question, 'Which team?', false)).toEqual({
      text: 'Which team?\n\nAnswer with the one that fits the input:\n- billing: Payments\n- sales',
      answers: [['billing'], ['sales']],
    });
    const reversed = await asked(question, 'Which team?', true);
    expect(reversed.text).toMatch(/:\n- sales\n- billing: Payments$/);
    // The answers keep the order of the options.
    expect(reversed.answers).toEqual([['billing'], ['sales']]);
  });

  test('is asked with letters where words are long, many, or differ in their case only', async () => {
    expect(await answersOf(['a', '12345678'])).toEqual(['a', '12345678']);
    expect(await answersOf(['a', '123456789'])).toEqual(['A', 'B']);
    expect(await answersOf(['yes', 'Yes'])).toEqual(['A', 'B']);
    expect(await answersOf(['true', 'true', 'x'])).toEqual(['A', 'B', 'C']);
    expect(await answersOf(['a\nb', 'c'])).toEqual(['A', 'B']);
    const many = Array.from({ length: 255 }, (_, at) => `v${at}`);
    expect(await answersOf(many.slice(0, 26))).toEqual(many.slice(0, 26));
    const codes = await answersOf(many);
    expect(codes.slice(0, 28)).toEqual(expect.arrayContaining(['AA', 'AZ', 'BA', 'BB']));
    expect(new Set(codes).size).toBe(255);
  });
});

test('a score is asked with the levels’ numbers', async () => {
  const question = {
    type: 'score' as const,
    options: [{ text: 'calm' }, { text: 'angry', description: 'shouts' }],
  };
  const { text, answers } = await asked(question, 'How angry?', false);
  expect(text).toMatch(/\n- 0: calm\n- 1: angry – shouts$/);
  expect(answers).toEqual([['0'], ['1']]);
});

test('a predicate is answered by yes or no, however it is spelt', async () => {
  const predicate = await asked({ type: 'predicate' }, 'It is late.', true);
  expect(predicate.text).toMatch(/\nIt is late\.\n\nAnswer No or Yes\.$/);
  expect(predicate.answers[0]).toEqual(['Yes', ' Yes', 'yes', ' yes', 'YES', ' YES']);
});
