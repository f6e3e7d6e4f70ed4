import { expect, test } from 'vitest';
import { LlamaInNode } from '../../../models/llamacpp/llama-in-node.ts';
import { seededRandom } from '../../../scripts/seeded-random.ts';
import { ggufOfFamily, type FamilyName } from '../../support/gguf/gguf-families.ts';
import { tinyLlama } from '../../support/gguf/tiny-llama.ts';
import { tinyMamba } from '../../support/gguf/tiny-mamba.ts';

const random = seededRandom(39);
const below = (count: number) => Math.floor(random() * count);
const weight = () => (random() - 0.5) / 4;
const tokensOf = (count: number) => Array.from({ length: count }, () => below(256));
const family = (name: FamilyName) => ggufOfFamily(name, weight);

/** The numbers of the contexts of a model, each with a prompt of another length. */
function openContexts(llama: LlamaInNode, count: number, length: number): number[] {
  return Array.from({ length: count }, (_, index) => {
    const context = llama.newContext(length, 32);
    llama.decode(context, tokensOf(3 + 7 * index), 0);
    return context;
  });
}

test.each([
  ['llama', () => tinyLlama(), 256],
  ['qwen3', () => family('qwen3'), 1024],
  ['qwen3moe', () => family('qwen3moe'), 1024],
  ['gemma3', () => family('gemma3'), 1024],
  ['phi3', () => family('phi3'), 1024],
])(
  'tokens of several contexts of %s have the bits that they have alone',
  async (_, file, length) => {
    const llama = await LlamaInNode.load({ '/model.gguf': file() });
    const contexts = openContexts(llama, 4, length);
    const alone = contexts.map((context) => {
      const copy = llama.newContext(length, 32);
      llama.copy(context, copy);
      return copy;
    });
    const positions = contexts.map((_context, index) => 3 + 7 * index);
    for (let step = 0; step < 12; step++) {
      const members = contexts.flatMap((context, index) => {
        // Some contexts pause, some have several tokens, some go back.
        if (step > 2 && random() < 0.3) return [];
        const position = (positions[index] ?? 0) - (random() < 0.2 ? 1 : 0);
        return [{ context, index, position, tokens: tokensOf(1 + below(step % 3 === 0 ? 1 : 8)) }];
      });
      if (members.length === 0) continue;
      expect(llama.decodeTogether(members)).toBe(0);
      for (const { context, index, position, tokens } of members) {
        const own = alone[index] ?? -1;
        llama.decode(own, tokens, position, tokens.length);
        for (let before = 0; before < tokens.length; before++) {
          expect(llama.logits(context, before)).toEqual(llama.logits(own, before));
        }
        positions[index] = position + tokens.length;
      }
    }
  },
  120_000,
);

test('a context that was freed leaves its place to another one', async () => {
  const llama = await LlamaInNode.load({ '/model.gguf': tinyLlama() });
  const [first = -1, second = -1] = openContexts(llama, 2, 64);
  const step = (contexts: number[], position: number) =>
    llama.decodeTogether(contexts.map((context) => ({ context, position, tokens: [7] })));
  for (let position = 0; position < 3; position++) step([first, second], position);
  llama.module._lc_free_context(second);
  const next = llama.newContext(64, 32);
  step([first, next], 0);
  const expected = llama.logits(next);
  const alone = llama.newContext(64, 32);
  llama.decode(alone, [7], 0);
  expect(expected).toEqual(llama.logits(alone));
});

test('an abort leaves all KV caches as they were', async () => {
  const llama = await LlamaInNode.load({ '/model.gguf': tinyLlama() });
  const contexts = openContexts(llama, 2, 64);
  const batches = contexts.map((context, index) => ({
    context,
    position: 3 + 7 * index,
    tokens: [1, 2],
  }));
  llama.aborted = true;
  expect(llama.decodeTogether(batches)).toBe(1);
  llama.aborted = false;
  expect(llama.decodeTogether(batches)).toBe(0);
});

test.each<[string, { context: number; tokens: number[]; position: number }[]]>([
  [
    'more contexts than fit',
    [0, 1, 2, 3, 4].map((context) => ({ context, tokens: [1], position: 0 })),
  ],
  ['a context twice', [0, 0].map((context) => ({ context, tokens: [1], position: 0 }))],
  ['too many tokens', [0, 1].map((context) => ({ context, tokens: tokensOf(9), position: 0 }))],
  ['a gap', [0, 1].map((context) => ({ context, tokens: [1], position: 60 }))],
  ['a context that is not there', [0, 9].map((context) => ({ context, tokens: [1], position: 0 }))],
  ['an unknown token', [0, 1].map((context) => ({ context, tokens: [-5], position: 0 }))],
])('refuses %s', async (_, batches) => {
  const llama = await LlamaInNode.load({ '/model.gguf': tinyLlama() });
  openContexts(llama, 5, 64);
  expect(() => llama.decodeTogether(batches)).toThrow(/^-1: /);
  expect(llama.decodeTogether([{ context: 0, tokens: [1], position: 3 }])).toBe(0);
});

test.each([
  ['a recurrent model', tinyMamba],
  ['a hybrid model', () => family('lfm2')],
])('%s computes one conversation at once', async (_, file) => {
  const llama = await LlamaInNode.load({ '/model.gguf': file() });
  const contexts = [llama.newContext(64, 32), llama.newContext(64, 32)];
  const batches = contexts.map((context) => ({ context, tokens: [7], position: 0 }));
  expect(() => llama.decodeTogether(batches)).toThrow(
    '-1: This architecture computes only one conversation at once.',
  );
  expect(llama.decodeTogether(batches.slice(0, 1))).toBe(0);
});
