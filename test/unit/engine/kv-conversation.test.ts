import { describe, expect, test } from 'vitest';
import { KvConversation } from '../../../src/engine/kv-conversation.ts';

describe('a prompt', () => {
  test('is prefilled whole when nothing came before', () => {
    expect(new KvConversation().plan('U1 A')).toEqual({
      ...{ turns: [], prompt: 'U1 A', cachedTokens: 0 },
    });
  });

  test('that goes on from the last answer is prefilled from there', () => {
    const conversation = new KvConversation();
    conversation.remember(conversation.plan('U1 A'), 'a1', 7);
    expect(conversation.plan('U1 Aa1 U2 A')).toEqual({
      turns: [{ prompt: 'U1 A', output: 'a1' }],
      prompt: ' U2 A',
      cachedTokens: 7,
    });
  });

  test('may go on again and again', () => {
    const conversation = new KvConversation();
    conversation.remember(conversation.plan('U1 A'), 'a1', 7);
    conversation.remember(conversation.plan('U1 Aa1 U2 A'), 'a2', 12);
    const plan = conversation.plan('U1 Aa1 U2 Aa2 U3 A');
    expect(plan.turns.map(({ prompt, output }) => prompt + output).join('')).toBe('U1 Aa1 U2 Aa2');
    expect(plan).toMatchObject({ prompt: ' U3 A', cachedTokens: 12 });
  });

  test.each([
    ['another beginning', 'V1 Aa1 U2 A'],
    ['another answer', 'U1 Aa1x'.replace('a1', 'b1')],
    ['the same prompt again', 'U1 A'],
    ['nothing new', 'U1 Aa1'],
  ])('with %s is prefilled whole', (_what, prompt) => {
    const conversation = new KvConversation();
    conversation.remember(conversation.plan('U1 A'), 'a1', 7);
    expect(conversation.plan(prompt)).toEqual({ turns: [], prompt, cachedTokens: 0 });
  });

  test('does not go on from what was forgotten', () => {
    const conversation = new KvConversation();
    conversation.remember(conversation.plan('U1 A'), 'a1', 7);
    conversation.forget();
    expect(conversation.plan('U1 Aa1 U2 A').turns).toEqual([]);
  });

  test('does not go on from an empty answer', () => {
    const conversation = new KvConversation();
    conversation.remember(conversation.plan('U1 A'), '', 5);
    expect(conversation.plan('U1 A U2 A').turns).toEqual([]);
  });

  test('planned earlier keeps its turns while the conversation goes on', () => {
    const conversation = new KvConversation();
    conversation.remember(conversation.plan('U1 A'), 'a1', 7);
    const plan = conversation.plan('U1 Aa1 U2 A');
    conversation.remember(plan, 'a2', 12);
    expect(plan.turns).toHaveLength(1);
  });
});
