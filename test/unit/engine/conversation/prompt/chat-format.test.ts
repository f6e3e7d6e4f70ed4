import { expect, test } from 'vitest';
import {
  chatFormat,
  hiddenTokens,
} from '../../../../../src/engine/conversation/prompt/chat-format.ts';
import { chatTemplate } from '../../../../../src/engine/conversation/prompt/chat-template.ts';
import { tokenizerFacts } from '../../../../../src/engine/conversation/prompt/tokenizer-files.ts';
import { CALL_FORMS } from '../../text/tools/call-forms.ts';

const CONTROLS = ['<|im_start|>', '<|im_end|>', '<|calls|>', '<|done|>', '<|pad|>'];
const END = 1;

function format(template: string) {
  const added_tokens = CONTROLS.map((content, id) => ({ id, content, special: true }));
  const facts = tokenizerFacts({ added_tokens }, { chat_template: template });
  const made = chatFormat(chatTemplate(template, facts), facts, [END]);
  return { callFormat: made.callFormat, hidden: hiddenTokens(made, facts, [END]) };
}

const { hidden, callFormat } = format(CALL_FORMS['an id and a name in marks']);

test('the marks of calls are hidden where an answer may have none', () => {
  expect([...hidden.withCalls.values()]).toEqual(['<|im_start|>', '<|pad|>']);
  expect([...hidden.withoutCalls.values()]).toEqual([
    ...['<|im_start|>', '<|calls|>', '<|done|>', '<|pad|>'],
  ]);
});

test('the control tokens that are shown because they are parts of marks are known', () => {
  expect(hidden.inMarks).toEqual(['<|calls|>', '<|done|>']);
});

test('the token that ends a turn is never hidden, and no part of a call', () => {
  expect(hidden.withoutCalls.has(END)).toBe(false);
  expect(JSON.stringify(callFormat)).not.toContain('<|im_end|>');
});
