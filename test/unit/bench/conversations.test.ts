import { expect, test } from 'vitest';
import { newTokens, prefilledTokens, takeTurns } from '../../../bench/conversations.ts';

test('clients take turns, and each conversation contains its own answers', async () => {
  const asked: string[] = [];
  let answers = 0;
  const clients = await takeTurns(2, (messages) => {
    asked.push(messages.map(({ content }) => content).join(' | '));
    return Promise.resolve({ text: `answer ${++answers}` });
  });
  const system = 'You are a helpful assistant.';
  expect(asked.slice(0, 4)).toEqual([
    `${system} | My name is Ann.`,
    `${system} | My name is Bob.`,
    `${system} | My name is Ann. | answer 1 | What is my name?`,
    `${system} | My name is Bob. | answer 2 | What is my name?`,
  ]);
  expect(clients.map((turns) => turns.length)).toEqual([8, 8]);
  expect(clients[1]?.slice(0, 2)).toEqual([{ text: 'answer 2' }, { text: 'answer 4' }]);
});

test('four clients say different things', async () => {
  const names = new Set<string>();
  await takeTurns(4, (messages) => {
    names.add(messages[1]?.content ?? '');
    return Promise.resolve({ text: '' });
  });
  expect([...names]).toEqual(['Ann', 'Bob', 'Eve', 'Tom'].map((name) => `My name is ${name}.`));
});

const TURNS = [
  { promptTokens: 20, cachedTokens: 0, completionTokens: 5 },
  { promptTokens: 35, cachedTokens: 24, completionTokens: 6 },
  { promptTokens: 50, cachedTokens: 40, completionTokens: 7 },
];

test('tokens from a KV cache were not prefilled', () => {
  expect(prefilledTokens(TURNS)).toBe(20 + 11 + 10);
});

test('tokens are new if neither an earlier prompt nor an answer had them', () => {
  expect(newTokens(TURNS)).toBe(20 + (35 - 20 - 5) + (50 - 35 - 6));
  expect(newTokens([])).toBe(0);
});
