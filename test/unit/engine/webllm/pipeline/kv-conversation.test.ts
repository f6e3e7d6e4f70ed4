import { describe, expect, test } from 'vitest';
import { KvConversation } from '../../../../../src/engine/webllm/pipeline/kv-conversation.ts';

/** After the model answered these prompts: the text of each, its tokens and the answer's. */
function after(...answers: [prompt: string, output: string, tokens: number][]): KvConversation {
  const conversation = new KvConversation();
  for (const [prompt, output, tokens] of answers) {
    conversation.begin(prompt);
    conversation.end({ output, tokens });
  }
  return conversation;
}

describe('a prompt', () => {
  test('is prefilled whole when nothing came before', () => {
    const conversation = after();
    expect(conversation.begin('U1 A')).toEqual({ turns: [], prompt: 'U1 A' });
    expect(conversation.cachedTokens).toBe(0);
  });

  test('that continues the last answer is prefilled from there', () => {
    const conversation = after(['U1 A', 'a1', 8]);
    expect(conversation.isWarm('U1 Aa1 U2 A')).toBe(true);
    expect(conversation.begin('U1 Aa1 U2 A')).toEqual({
      turns: [{ prompt: 'U1 A', output: 'a1' }],
      prompt: ' U2 A',
    });
    // The token that ended the answer is not in the cache.
    expect(conversation.cachedTokens).toBe(7);
  });

  test('may be continued repeatedly', () => {
    const conversation = after(['U1 A', 'a1', 8], ['U1 Aa1 U2 A', 'a2', 13]);
    const plan = conversation.begin('U1 Aa1 U2 Aa2 U3 A');
    expect(plan.turns.map(({ prompt, output }) => prompt + output).join('')).toBe('U1 Aa1 U2 Aa2');
    expect(plan.prompt).toBe(' U3 A');
    expect(conversation.cachedTokens).toBe(12);
  });

  test.each([
    ['another beginning', 'V1 Aa1 U2 A'],
    ['another answer', 'U1 Ab1x'],
    ['the same prompt again', 'U1 A'],
    ['nothing new', 'U1 Aa1'],
  ])('with %s is prefilled whole', (_what, prompt) => {
    const conversation = after(['U1 A', 'a1', 8]);
    expect(conversation.isWarm(prompt)).toBe(false);
    expect(conversation.begin(prompt)).toEqual({ turns: [], prompt });
    expect(conversation.cachedTokens).toBe(0);
  });

  test('does not continue an answer that was cut or is being written', () => {
    const conversation = after(['U1 A', 'a1', 8]);
    conversation.begin('U1 Aa1 U2 A');
    expect(conversation.isWarm('U1 Aa1 U2 A')).toBe(false);
    conversation.end(undefined);
    expect(conversation.begin('U1 Aa1 U2 Aa2 U3 A').turns).toEqual([]);
  });

  test('does not continue an empty answer', () => {
    expect(after(['U1 A', '', 5]).begin('U1 A U2 A').turns).toEqual([]);
  });
});
