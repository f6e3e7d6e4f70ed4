import { expect, test } from 'vitest';
import {
  AnswerClock,
  describeFigures,
  figuresOf,
  type TokenUsage,
} from '../../../../src/console/chat/answer/answer-stats.ts';

const usage = { promptTokens: 54, completionTokens: 21, cachedTokens: 0 };

function clock(...pieces: number[]): AnswerClock {
  const measured = new AnswerClock(1000);
  for (const at of pieces) measured.recordPiece(at);
  return measured;
}

function described(of: TokenUsage, measured: AnswerClock): string[] {
  return describeFigures(figuresOf(of, measured));
}

test('the speed is that of decoding; the wait for the first token is shown separately', () => {
  expect(described(usage, clock(1160, 2160))).toEqual([
    '20.0 tokens/s',
    '21 tokens',
    '0.16 s to first token',
    '54 prompt tokens',
  ]);
});

test('tokens that the KV cache already held are shown', () => {
  expect(described({ ...usage, cachedTokens: 30 }, clock(1160, 2160)).at(-1)).toBe(
    '54 prompt tokens, 30 cached',
  );
});

test('a single token or a single piece has no speed', () => {
  expect(clock(1160).tokensPerSecond(21)).toBeNull();
  expect(clock(1160, 2160).tokensPerSecond(1)).toBeNull();
});

test('an answer without text has only counts', () => {
  expect(described({ ...usage, completionTokens: 0 }, clock())).toEqual([
    '0 tokens',
    '54 prompt tokens',
  ]);
});
