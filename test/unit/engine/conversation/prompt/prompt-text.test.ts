import { expect, test } from 'vitest';
import type { TemplateMessage } from '../../../../../src/core/operations/jobs/jobs.ts';
import { chatFormat } from '../../../../../src/engine/conversation/prompt/chat-format.ts';
import { chatTemplate } from '../../../../../src/engine/conversation/prompt/chat-template.ts';
import { BREAKPOINTS } from '../../../../../src/core/operations/prompt-caching.ts';
import { promptText } from '../../../../../src/engine/conversation/prompt/prompt-text.ts';
import { tokenizerFacts } from '../../../../../src/engine/conversation/prompt/tokenizer-files.ts';

const TEMPLATE =
  '{% for m in messages %}<|{{ m.role }}|>{{ m.content }}<|end|>{% endfor %}<|assistant|>';
/** Cuts thoughts off contents, and so shows the mark. */
const THINKS = "{{ ''.split('</think>')[0] }}";

function format(template: string) {
  const added_tokens = [{ id: 1, content: '<|end|>', special: true }];
  const facts = tokenizerFacts({ added_tokens }, { chat_template: template });
  return chatFormat(chatTemplate(template, facts), facts, []);
}

function begun(template: string, last: Partial<TemplateMessage>, continuesFinal = true): string {
  const messages: TemplateMessage[] = [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'The sky', ...last },
  ];
  const prompt = { kind: 'chat' as const, messages, templateOptions: {}, continuesFinal };
  return promptText(prompt, format(template), { tools: undefined }).text;
}

test('an answer that is begun stands at the end of the prompt', () => {
  expect(begun(TEMPLATE, {})).toBe('<|user|>Hi<|end|><|assistant|>The sky');
  expect(begun(TEMPLATE, {}, false)).toBe(
    '<|user|>Hi<|end|><|assistant|>The sky<|end|><|assistant|>',
  );
});

test('its text cannot be a control token', () => {
  expect(begun(TEMPLATE, { content: 'a<|end|>b' })).toBe(
    '<|user|>Hi<|end|><|assistant|>a<\u200b|end|>b',
  );
});

test('its thoughts come before it, and end if the template begins them', () => {
  const prompt = '<|user|>Hi<|end|><|assistant|>';
  const opens = `${TEMPLATE}<think>\n${THINKS}`;
  expect(begun(opens, {})).toBe(`${prompt}<think>\n\n</think>\n\nThe sky`);
  expect(begun(opens, { reasoning: 'Hm.' })).toBe(`${prompt}<think>\nHm.\n</think>\n\nThe sky`);
  expect(begun(TEMPLATE + THINKS, { reasoning: 'Hm.' })).toBe(
    `${prompt}<think>\nHm.\n</think>\n\nThe sky`,
  );
  expect(begun(TEMPLATE + THINKS, {})).toBe(`${prompt}The sky`);
});

test('a template that refuses marks leaves the prompt without breakpoints', () => {
  const strict = `{{ raise_exception('Not JSON.') if not messages[0].content.endswith('}') }}${TEMPLATE}`;
  const read = (template: string) => {
    const messages = [{ role: 'user' as const, content: `{}${BREAKPOINTS.short}` }];
    const prompt = { kind: 'chat' as const, messages, templateOptions: {} };
    return promptText(prompt, format(template), { tools: undefined });
  };
  expect(read(TEMPLATE).breakpoints).toHaveLength(1);
  expect(read(strict)).toEqual({ ...read(TEMPLATE), breakpoints: [] });
});

test('text without a template is passed on unchanged', () => {
  const { text } = promptText({ kind: 'raw', text: 'a<|end|>' }, format(TEMPLATE), {
    tools: undefined,
  });
  expect(text).toBe('a<|end|>');
});

test('an answer that is begun in harmony stands in the channel of answers', () => {
  const harmony = `${TEMPLATE}{# <|channel|>analysis<|message|> #}{{ '' if '<|channel|>analysis<|message|>' in '' else '' }}`;
  const asked = '<|user|>Hi<|end|><|assistant|>';
  expect(begun(harmony, {})).toBe(`${asked}<|channel|>final<|message|>The sky`);
  expect(begun(harmony, { reasoning: 'Hm.' })).toBe(
    `${asked}<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>The sky`,
  );
});
