import { expect } from 'vitest';
import { LlamaInNode } from '../../../models/llamacpp/llama-in-node.ts';
import { LlamaOnGpu } from '../../../models/llamacpp/llama-on-gpu.ts';
import type { LlamaGpu } from '../../../models/llamacpp/module.ts';

/** The largest difference of a logit from the CPU's that counts as rounding. Lavapipe's is below 0.07. */
const TOLERANCE = 0.1;
const BATCH = 32;
const CONTEXT = 512;

/** A model on the CPU and on the GPU, each with a context. */
export async function both(file: Uint8Array, onGpu: LlamaGpu): Promise<Both> {
  const cpu = await LlamaInNode.load({ '/model.gguf': file });
  const llama = await LlamaOnGpu.open({ '/model.gguf': file }, onGpu);
  return { cpu: new Told(cpu), gpu: new Told(llama) };
}

/** One context, which is told tokens. */
export class Told {
  readonly llama: LlamaInNode;
  readonly context: number;
  end = 0;

  constructor(llama: LlamaInNode) {
    this.llama = llama;
    this.context = llama.newContext(CONTEXT, BATCH);
  }

  /** @returns the logits after the last token */
  async tell(tokens: readonly number[]): Promise<number[]> {
    for (let start = 0; start < tokens.length; start += BATCH) {
      const batch = tokens.slice(start, start + BATCH);
      const isLast = start + BATCH >= tokens.length;
      if (this.llama instanceof LlamaOnGpu)
        await this.llama.compute(this.context, batch, this.end, isLast ? 1 : 0);
      else this.llama.decode(this.context, batch, this.end, isLast ? 1 : 0);
      this.end += batch.length;
    }
    return this.llama.logits(this.context);
  }

  keep(tokens: number): void {
    expect(this.llama.keep(this.context, tokens)).toBe(1);
    this.end = tokens;
  }
}

export type Both = Record<'cpu' | 'gpu', Told>;

/** Tells both the same. @returns the CPU's logits, from which the GPU's do not differ more than by rounding */
export async function tellBoth(
  { cpu, gpu: other }: Both,
  tokens: readonly number[],
): Promise<number[]> {
  const [expected, found] = [await cpu.tell(tokens), await other.tell(tokens)];
  const difference = expected.reduce(
    (most, logit, token) => Math.max(most, Math.abs(logit - (found[token] ?? Infinity))),
    0,
  );
  expect(difference).toBeLessThan(TOLERANCE);
  expect(best(found)).toBe(best(expected));
  return expected;
}

function best(logits: readonly number[]): number {
  return logits.indexOf(Math.max(...logits));
}

/** Lets both continue the prompt by their most probable tokens. */
export async function expectSameAnswer(models: Both, prompt: string, steps: number): Promise<void> {
  let tokens = models.cpu.llama.tokenize(prompt);
  for (let step = 0; step < steps; step++) tokens = [best(await tellBoth(models, tokens))];
}
