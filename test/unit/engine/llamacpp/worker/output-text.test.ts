import { expect, test } from 'vitest';
import { OutputText } from '../../../../../src/engine/llamacpp/worker/output-text.ts';
import type { SampledToken } from '../../../../../src/engine/conversation/sampling/sampler.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const sampled = (id: number): SampledToken => ({ id, logprob: -1, top: [] });

test('a token that is whole characters comes at once', () => {
  const output = new OutputText(false);
  expect(output.push(7, bytes('né'), [sampled(7)])).toEqual({
    text: 'né',
    ids: [7],
    tokens: [sampled(7)],
  });
  expect(output.flush()).toBeUndefined();
});

test('the tokens of a character come together, with the text that they complete', () => {
  const output = new OutputText(false);
  const [a = 0, b = 0, c = 0, d = 0] = bytes('🦙');
  for (const [id, byte] of [a, b, c].entries()) {
    expect(output.push(id, Uint8Array.of(byte), [sampled(id)])).toBeUndefined();
  }
  expect(output.push(3, Uint8Array.of(d, 0x21), [sampled(3)])).toEqual({
    text: '🦙!',
    ids: [0, 1, 2, 3],
    tokens: [0, 1, 2, 3].map(sampled),
  });
  expect(output.text).toBe('🦙!');
});

test('a character that stays incomplete becomes U+FFFD at the end', () => {
  const output = new OutputText(false);
  expect(output.push(5, bytes('é').subarray(0, 1), [])).toBeUndefined();
  expect(output.flush()).toEqual({ text: '\uFFFD', ids: [5], tokens: [] });
});

test('the space that a tokenizer adds is dropped from the first token only', () => {
  const output = new OutputText(true);
  expect(output.push(1, bytes(' Hi'), [])?.text).toBe('Hi');
  expect(output.push(2, bytes(' you'), [])?.text).toBe(' you');
  expect(new OutputText(true).push(1, bytes('Hi'), [])?.text).toBe('Hi');
  expect(new OutputText(false).push(1, bytes(' Hi'), [])?.text).toBe(' Hi');
});

test('a byte order mark is text', () => {
  expect(new OutputText(false).push(1, bytes('\uFEFFa'), [])?.text).toBe('\uFEFFa');
});
