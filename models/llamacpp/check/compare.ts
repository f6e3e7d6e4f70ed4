/**
 * `compare.ts GGUF PROMPTS LOGITS TOLERANCE`: computes the logits after each prompt with the WebAssembly product and
 * fails if the log-probabilities differ by more than TOLERANCE from those of the native program. Then it prints
 * tokens/s of prefill and decode.
 */
import { readFileSync } from 'node:fs';

import { LlamaInNode } from '../llama-in-node.ts';

const BATCH = 32;
const CONTEXT = 1024;
const PREFILLED = 98;
const DECODED = 33;

const [ggufFile = '', promptsFile = '', logitsFile = '', tolerance = ''] = process.argv.slice(2);
const prompts = readFileSync(promptsFile, 'utf8').trimEnd().split('\n');
const native = new Float32Array(new Uint8Array(readFileSync(logitsFile)).buffer);

const llama = await LlamaInNode.load({ '/model.gguf': readFileSync(ggufFile) });
const context = llama.newContext(CONTEXT, BATCH);
const size = llama.module._lc_vocabulary_size();

for (const [index, prompt] of prompts.entries()) {
  prefill(llama.tokenize(prompt));
  const ours = logProbabilities(llama.logits(context));
  const theirs = logProbabilities([...native.subarray(index * size, (index + 1) * size)]);
  const difference = Math.max(
    ...ours.map((value, token) => Math.abs(value - (theirs[token] ?? NaN))),
  );
  const verdict = difference <= Number(tolerance) ? 'ok' : 'too much';
  process.stdout.write(`${difference.toExponential(1)} ${verdict}: ${prompt.slice(0, 40)}\n`);
  if (verdict !== 'ok') process.exitCode = 1;
}
process.stdout.write(
  `wasm: prefill | decode tokens/s: ${speed()
    .map((value) => value.toFixed(1))
    .join(' | ')}\n`,
);

function prefill(tokens: number[]): void {
  for (let start = 0; start < tokens.length; start += BATCH) {
    const end = start + BATCH;
    llama.decode(context, tokens.slice(start, end), start, end >= tokens.length);
  }
}

function logProbabilities(logits: number[]): number[] {
  const largest = Math.max(...logits);
  const sum = logits.reduce((total, logit) => total + Math.exp(logit - largest), 0);
  return logits.map((logit) => logit - largest - Math.log(sum));
}

function speed(): [prefill: number, decode: number] {
  const tokens = llama.tokenize(prompts.join(' ')).slice(0, PREFILLED);
  const start = performance.now();
  prefill(tokens);
  const middle = performance.now();
  for (const [index, token] of tokens.slice(0, DECODED).entries()) {
    llama.decode(context, [token], tokens.length + index);
  }
  const end = performance.now();
  return [(1000 * tokens.length) / (middle - start), (1000 * DECODED) / (end - middle)];
}
