import { expect, test } from 'vitest';
import { fillInTheMiddle } from '../../../../../src/engine/conversation/prompt/fill-in-the-middle.ts';

function filled(...marks: string[]): string {
  return fillInTheMiddle('before', 'after', new Map(marks.map((mark, id) => [mark, id])));
}

test('each family’s marks stand before the parts, in its order', () => {
  expect(filled('<|fim_prefix|>', '<|fim_suffix|>', '<|fim_middle|>')).toBe(
    '<|fim_prefix|>before<|fim_suffix|>after<|fim_middle|>',
  );
  expect(filled('<｜fim▁begin｜>', '<｜fim▁hole｜>', '<｜fim▁end｜>')).toBe(
    '<｜fim▁begin｜>before<｜fim▁hole｜>after<｜fim▁end｜>',
  );
  expect(filled('[PREFIX]', '[SUFFIX]')).toBe('[SUFFIX]after[PREFIX]before');
});

test('a model without all the marks of a family is refused', () => {
  expect(() => filled('<|fim_prefix|>')).toThrow("'suffix' needs a model with fill-in-the-middle");
});
