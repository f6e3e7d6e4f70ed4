import { describe, expect, test } from 'vitest';
import type { Prompt, TemplateMessage } from '../../../../src/core/operations/jobs/jobs.ts';
import { constraintOf, nativePrompt } from '../../../../src/page/built-in/native-prompt.ts';

const system: TemplateMessage = { role: 'system', content: 'Be brief.' };
const question: TemplateMessage = { role: 'user', content: 'Hello?' };
const begun: TemplateMessage = { role: 'assistant', content: 'Hel' };

const chat = (messages: TemplateMessage[], continuesFinal = false): Prompt => ({
  kind: 'chat',
  messages,
  templateOptions: {},
  ...(continuesFinal && { continuesFinal }),
});

test('a session begins with the system message', () => {
  expect(nativePrompt(chat([system, question]))).toEqual({
    initialPrompts: [{ role: 'system', content: 'Be brief.' }],
    messages: [{ role: 'user', content: 'Hello?' }],
  });
});

test('a system message alone is followed by an empty turn', () => {
  expect(nativePrompt(chat([system])).messages).toEqual([{ role: 'user', content: '' }]);
});

describe('a prefix', () => {
  const prefix = (content: string) => ({ role: 'assistant', content, prefix: true });

  test('is the answer that another tab has begun', () => {
    expect(nativePrompt(chat([question]), 'Hel').messages).toEqual([
      { role: 'user', content: 'Hello?' },
      prefix('Hel'),
    ]);
  });

  test('is the last message, if the answer continues it', () => {
    expect(nativePrompt(chat([question, begun], true), 'lo').messages.at(-1)).toEqual(
      prefix('Hello'),
    );
  });

  test('is not there if a new answer follows the last message', () => {
    const { messages } = nativePrompt(chat([question, begun]));
    expect(messages).toEqual([question, begun]);
  });
});

test.each<[string, Prompt]>([
  ['text', { kind: 'raw', text: 'Once' }],
  ['a later system message', chat([question, system])],
  ['an answer of a tool', chat([{ role: 'tool', content: '1', toolCallId: 'a' }])],
  [
    'an image',
    chat([{ ...question, images: [{ file: new Uint8Array(), detail: 'auto', field: '' }] }]),
  ],
])('%s is refused', (_what, prompt) => {
  expect(() => nativePrompt(prompt)).toThrow(
    expect.objectContaining({
      data: expect.objectContaining({ status: 400, code: 'unsupported_value', param: 'prompt' }),
    }),
  );
});

test('a format becomes a schema or an expression for the whole answer', () => {
  expect(constraintOf(undefined)).toBeUndefined();
  expect(constraintOf({ type: 'json_object' })).toEqual({ type: 'object' });
  expect(constraintOf({ type: 'json_schema', schema: { type: 'null' } })).toEqual({ type: 'null' });
  expect(constraintOf({ type: 'json_schema', schema: false })).toEqual({ not: {} });
  expect(constraintOf({ type: 'pattern', pattern: 'a|b' })).toEqual(/^(?:a|b)$/);
  const choice = constraintOf({ type: 'choice', texts: ['a.b', '(c)', 'd/e'] }) as RegExp;
  expect(['a.b', '(c)', 'd/e', 'axb', 'c'].map((text) => choice.test(text))).toEqual([
    ...[true, true, true, false, false],
  ]);
});
