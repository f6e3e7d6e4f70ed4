import { describe, expect, test } from 'vitest';
import {
  readTokenizerFacts,
  tokenizerFacts,
} from '../../../../../src/engine/conversation/prompt/tokenizer-files.ts';

describe('what a tokenizer’s files contain', () => {
  test('are the template, BOS and EOS, and the control tokens', () => {
    const tokenizer = {
      added_tokens: [
        { id: 1, content: '<|im_start|>', special: true },
        { id: 2, content: '<|im_end|>', special: true, lstrip: false },
        { id: 3, content: '<tool_call>', special: false },
        { id: 4, content: '<extra>' },
      ],
      model: { type: 'BPE' },
    };
    const config = { chat_template: 'T', bos_token: '<s>', eos_token: '<|im_end|>' };
    expect(tokenizerFacts(tokenizer, config)).toEqual({
      chatTemplate: 'T',
      bosToken: '<s>',
      eosToken: '<|im_end|>',
      controlTokens: ['<|im_start|>', '<|im_end|>'],
      tokenIds: new Map([
        ['<|im_start|>', 1],
        ['<|im_end|>', 2],
        ['<tool_call>', 3],
        ['<extra>', 4],
      ]),
    });
  });

  test.each([
    ['a text', 'T', 'T'],
    ['nothing', undefined, undefined],
    ['null', null, undefined],
    [
      'several, one of them the default',
      [
        { name: 'tool_use', template: 'U' },
        { name: 'default', template: 'D' },
      ],
      'D',
    ],
    ['several, none of them the default', [{ name: 'rag', template: 'R' }], 'R'],
    ['an empty list', [], undefined],
  ])('as a chat template: %s', (_what, chat_template, expected) => {
    expect(tokenizerFacts({}, { chat_template }).chatTemplate).toBe(expected);
  });

  test('include a template in a file of its own, as in newer models', () => {
    expect(tokenizerFacts({}, { chat_template: 'old' }, 'new').chatTemplate).toBe('new');
  });

  test.each([
    ['a text', '<s>', '<s>'],
    ['an object', { content: '<s>', lstrip: false }, '<s>'],
    ['null', null, ''],
    ['nothing', undefined, ''],
  ])('as a token: %s', (_what, bos_token, expected) => {
    expect(tokenizerFacts({}, { bos_token }).bosToken).toBe(expected);
  });
});

describe('a model’s files', () => {
  test('may all be missing', async () => {
    const facts = await readTokenizerFacts(() => Promise.resolve(undefined));
    expect(facts).toMatchObject({ chatTemplate: undefined, controlTokens: [], eosToken: '' });
  });

  test('are read as they are stored', async () => {
    const files: Record<string, string> = {
      'tokenizer.json': '{"added_tokens":[{"id":0,"content":"<e>","special":true}]}',
      'tokenizer_config.json': '{"eos_token":"<e>"}',
      'chat_template.jinja': '{{ messages }}',
    };
    const read = (path: string) => {
      const content = files[path];
      return Promise.resolve(content === undefined ? undefined : new Blob([content]));
    };
    expect(await readTokenizerFacts(read)).toMatchObject({
      chatTemplate: '{{ messages }}',
      controlTokens: ['<e>'],
      eosToken: '<e>',
    });
  });
});
