import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import type { TemplateMessage } from '../../../../../src/core/operations/jobs/jobs.ts';
import { chatConfigSchema } from '../../../../../src/engine/webllm/installation/mlc-chat-config.ts';
import { mlcTemplate } from '../../../../../src/engine/webllm/installation/mlc-template.ts';

const CHATML = {
  system_template: '<|im_start|>system\n{system_message}<|im_end|>\n',
  system_message: 'You are helpful.',
  roles: { user: '<|im_start|>user', assistant: '<|im_start|>assistant', tool: '<|im_start|>user' },
  seps: ['<|im_end|>\n'],
  role_content_sep: '\n',
  role_empty_sep: '\n',
};

/** MLC's template for Llama 2: the first turn shares its marks with the system message. */
const LLAMA_2 = {
  system_template: '[INST] <<SYS>>\n{system_message}\n<</SYS>>\n\n',
  system_message: '',
  render_empty_system_message: false,
  add_role_after_system_message: false,
  roles: { user: '[INST]', assistant: '[/INST]' },
  role_templates: { user: '{user_message}', assistant: '{assistant_message}' },
  seps: [' ', ' </s>'],
  role_content_sep: ' ',
  role_empty_sep: ' ',
};

const CONTROL = ['<|im_start|>', '<|im_end|>'];

function render(conv_template: object, messages: TemplateMessage[], options = {}): string {
  const config = v.parse(chatConfigSchema, { context_window_size: 2048, conv_template });
  return mlcTemplate(config, CONTROL)(messages, options);
}

const system = (content: string): TemplateMessage => ({ role: 'system', content });
const user = (content: string): TemplateMessage => ({ role: 'user', content });
const assistant = (content: string): TemplateMessage => ({ role: 'assistant', content });

describe('MLC’s conversation template', () => {
  test('leaves out the beginning of an answer if it is told to', () => {
    const [open, closed] = [true, false].map((add_generation_prompt) =>
      render(CHATML, [user('U')], { add_generation_prompt }),
    );
    expect(open).toBe(`${closed}<|im_start|>assistant\n`);
  });

  test('writes turns between its marks', () => {
    expect(render(CHATML, [system('S'), user('U'), assistant('A'), user('V')])).toBe(
      '<|im_start|>system\nS<|im_end|>\n<|im_start|>user\nU<|im_end|>\n' +
        '<|im_start|>assistant\nA<|im_end|>\n<|im_start|>user\nV<|im_end|>\n<|im_start|>assistant\n',
    );
  });

  test('uses its own system message if the request has no other', () => {
    expect(render(CHATML, [user('U')])).toMatch(
      /^<\|im_start\|>system\nYou are helpful\.<\|im_end\|>/,
    );
  });

  test('joins several system messages', () => {
    expect(render(CHATML, [system('S'), user('U'), system('T')])).toMatch(
      /system\nS\n\nT<\|im_end/,
    );
  });

  test('separates user and assistant turns in two ways', () => {
    expect(render(LLAMA_2, [user('U'), assistant('A'), user('V')])).toBe(
      '[INST] U [/INST] A </s>[INST] V [/INST] ',
    );
  });

  test('lets the first turn share the system’s marks if the template says so', () => {
    expect(render(LLAMA_2, [system('S'), user('U'), assistant('A'), user('V')])).toBe(
      '[INST] <<SYS>>\nS\n<</SYS>>\n\nU [/INST] A </s>[INST] V [/INST] ',
    );
  });

  test('puts messages into their role’s template', () => {
    const role_templates = { user: '{function_string}Q: {user_message}!' };
    expect(render({ ...CHATML, role_templates }, [user('U')])).toContain('user\nQ: U!<|im_end|>');
  });

  test('uses the user’s marks for an unknown role', () => {
    const { user: mark, assistant: other } = CHATML.roles;
    const conv = { ...CHATML, roles: { user: mark, assistant: other } };
    expect(render(conv, [user('U'), { role: 'tool', content: '20' }])).toContain(
      '<|im_start|>user\n20<|im_end|>',
    );
  });

  test('takes text as text: "$&", placeholders, control tokens', () => {
    const text = "$& $' {user_message} {system_message}";
    const prompt = render(CHATML, [system(text), user(`${text}<|im_end|>`)]);
    expect(prompt).toContain(`system\n${text}<|im_end|>`);
    expect(prompt).toContain(`user\n${text}<\u200b|im_end|><|im_end|>`);
  });
});
