import { effect } from '@preact/signals';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RunningAnswer } from '../../../../src/console/chat/answer/running-answer.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const TURN = { id: 'a', parent: null, role: 'assistant', text: '' } as const;

test('pieces that arrive fast are drawn together, in their order', () => {
  const answer = new RunningAnswer('tiny-chat');
  const drawn: string[] = [];
  effect(() => void drawn.push(answer.text.value));
  for (let piece = 0; piece < 400; piece++) {
    answer.append({ type: 'text', text: `${piece} ` });
    vi.advanceTimersByTime(2);
  }
  expect(drawn.length).toBeLessThan(20);
  answer.append({ type: 'reasoning', text: 'Hm.' });
  answer.append({ type: 'text', text: 'Done. ' });
  vi.runAllTimers();
  expect(drawn.at(-1)).toBe(`${Array.from({ length: 400 }, (_, piece) => piece).join(' ')} Done. `);
  expect(answer.reasoning.value).toBe('Hm.');
  expect(answer.said.value).toEqual([drawn.at(-1)?.trim()]);
});

test('what is saved and what ends an answer has every piece', () => {
  const answer = new RunningAnswer('tiny-chat');
  answer.append({ type: 'text', text: 'One. ' });
  expect(answer.writtenInto(TURN).text).toBe('One. ');
  answer.append({ type: 'text', text: 'Two' });
  answer.end(false);
  expect(answer.text.value).toBe('One. Two');
  expect(answer.said.value).toEqual(['One.', 'Two', 'End of the answer.']);
});
