import { beforeAll, describe, expect, test } from 'vitest';
import { LlamaError } from '../../../../../src/engine/llamacpp/worker/llama-error.ts';
import type { Llama } from '../../../../../src/engine/llamacpp/worker/llama.ts';
import { openLlama, openTinyChat } from '../../../support/models/tiny-chat-llama.ts';

const PROMPT =
  '<|im_start|>user\nWhat is the capital of France?<|im_end|>\n<|im_start|>assistant\n';
const ANSWER = 'The capital of France is Paris.';

let llama: Llama;
beforeAll(async () => {
  llama = await openTinyChat();
});

const decode = (tokens: readonly number[]) =>
  new TextDecoder().decode(Uint8Array.from(tokens.flatMap((token) => [...llama.bytes(token)])));

function likeliest(context: number): number {
  const logits = llama.logits(context);
  return logits.indexOf(Math.max(...logits));
}

/** Computes what is missing of the prompt, and writes greedily until the model ends its turn. */
function answer(context: number, prompt = PROMPT, kept = 0): string {
  const tokens = llama.tokenize(prompt);
  for (let start = kept; start < tokens.length; start += 32) {
    llama.decode(
      context,
      tokens.slice(start, start + 32),
      start,
      start + 32 >= tokens.length ? 1 : 0,
    );
  }
  const written: number[] = [];
  for (;;) {
    const token = likeliest(context);
    if (llama.stopTokenIds.includes(token)) return decode(written);
    llama.decode(context, [token], tokens.length + written.length, 1);
    written.push(token);
  }
}

test('the model’s facts are known after loading', () => {
  expect(llama).toMatchObject({
    vocabularySize: 1024,
    trainedContext: 2048,
    firstToken: undefined,
  });
  expect(llama.stopTokenIds.map((token) => decode([token]))).toContain('<|im_end|>');
});

describe('tokens', () => {
  test('of a text give its bytes again', () => {
    for (const text of [
      '',
      'a',
      'Hello there, 1234!',
      'naïve 🦙 日本',
      ' \n\t ',
      'x'.repeat(9000),
    ]) {
      expect(decode(llama.tokenize(text))).toBe(text);
    }
  });

  test('of control tokens’ texts are these tokens', () => {
    const [first, ...rest] = llama.tokenize('<|im_start|>');
    expect(rest).toEqual([]);
    expect(decode([first ?? -1])).toBe('<|im_start|>');
  });
});

test('a prompt is answered', () => {
  expect(answer(llama.newContext(256))).toBe(ANSWER);
});

test('a truncated KV cache goes on as if nothing had followed', () => {
  const context = llama.newContext(256);
  answer(context);
  const kept = llama.tokenize(PROMPT).length - 1;
  expect(llama.keep(context, kept)).toBe(true);
  expect(answer(context, PROMPT, kept)).toBe(ANSWER);
});

test('a copied KV cache goes on like the original, and does not change it', () => {
  const [from, to] = [llama.newContext(256), llama.newContext(256)];
  const tokens = llama.tokenize(PROMPT);
  llama.decode(from, tokens, 0, 1);
  const logits = llama.logits(from).slice();
  llama.copy(from, to);
  expect(answer(to, PROMPT, tokens.length - 1)).toBe(ANSWER);
  expect(llama.keep(from, tokens.length - 1)).toBe(true);
  llama.decode(from, tokens.slice(-1), tokens.length - 1, 1);
  for (const [token, logit] of llama.logits(from).entries()) {
    expect(Math.abs(logit - (logits[token] ?? NaN))).toBeLessThan(1e-3);
  }
});

test('a warm-up ends in time, and leaves an empty KV cache', () => {
  const context = llama.newContext(256);
  llama.warmUp(context, 32, 0);
  // The time was over before any logits were computed.
  expect(llama.logits(context).every((logit) => logit === 0)).toBe(true);
  expect(() => llama.decode(context, [1], 1, 1)).toThrow('The KV cache has only 0 tokens.');
  expect(answer(context)).toBe(ANSWER);
});

test('a warm-up that has the time computes a batch, and changes nothing after it', () => {
  const context = llama.newContext(256);
  llama.warmUp(context, 32, 60_000);
  expect(llama.logits(context).some((logit) => logit !== 0)).toBe(true);
  expect(() => llama.decode(context, [1], 1, 1)).toThrow('The KV cache has only 0 tokens.');
  expect(answer(context)).toBe(ANSWER);
  expect(() => llama.warmUp(context, 33, 0)).toThrow('A batch has 1 to 32 tokens.');
});

test('a batch that does not fit its KV cache is refused, and the cache still works', () => {
  const context = llama.newContext(256);
  expect(() => llama.decode(context, [1], 300, 1)).toThrow(LlamaError);
  expect(answer(context)).toBe(ANSWER);
});

test('a context knows its size, which grows with its length', () => {
  const [short, long] = [llama.newContext(256), llama.newContext(2048)];
  expect(llama.contextBytes(short)).toBeGreaterThan(0);
  expect(llama.contextBytes(long)).toBeGreaterThan(2 * llama.contextBytes(short));
});

test('a file that is no model is refused in words', async () => {
  const parts = [{ name: 'a.gguf', bytes: new TextEncoder().encode('GGUF'.repeat(50)) }];
  const error = await openLlama(parts, 32).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(LlamaError);
  expect(error).toMatchObject({ failure: 'failed', message: expect.stringMatching(/\w+ \w+/) });
});
