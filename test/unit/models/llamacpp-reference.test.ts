import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LlamaInNode } from '../../../models/llamacpp/llama-in-node.ts';
import { reference } from '../../support/reference.ts';

const FILE = new URL('../../../models/packs/tiny-chat/tiny-chat-F32.gguf', import.meta.url);
/** The largest difference of log-probabilities that counts as rounding. */
const TOLERANCE = 2e-3;
const BATCH = 32;
const CONTEXT = 1024;

// test/browser/engines/model-library.test.ts compares WebLLM with the same numbers.
test.each(reference('tiny-chat').conversations)(
  'the GGUF of tiny-chat gives what numpy computes from its pack: conversation "$name"',
  async ({ turns }) => {
    const llama = await LlamaInNode.load({ '/model.gguf': readFileSync(FILE) });
    const context = llama.newContext(CONTEXT, BATCH);
    let position = 0;
    const feed = (tokens: number[]): number[] => {
      for (let start = 0; start < tokens.length; start += BATCH) {
        const part = tokens.slice(start, start + BATCH);
        llama.decode(context, part, position);
        position += part.length;
      }
      return logProbabilities(llama.logits(context));
    };
    for (const { text, tokens, steps } of turns) {
      expect(llama.tokenize(text)).toEqual(tokens);
      let next = tokens;
      for (const step of steps) {
        const computed = feed(next);
        for (const [token, expected] of step) {
          expect(Math.abs((computed[token] ?? NaN) - expected)).toBeLessThan(TOLERANCE);
        }
        next = [computed.indexOf(Math.max(...computed))];
        expect(next[0]).toBe(step[0]?.[0]);
      }
    }
  },
);

function logProbabilities(logits: number[]): number[] {
  const largest = Math.max(...logits);
  const sum = logits.reduce((total, logit) => total + Math.exp(logit - largest), 0);
  return logits.map((logit) => logit - largest - Math.log(sum));
}
