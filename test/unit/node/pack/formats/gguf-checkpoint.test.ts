import { expect, test } from 'vitest';
import { memorySource } from '../../../../../src/node/pack/sources/byte-source.ts';
import { ggufCheckpoint } from '../../../../../src/node/pack/formats/gguf-checkpoint.ts';
import { ggufBytes, type Field, type Tensor } from '../../../../support/gguf/gguf-bytes.ts';
import { ggufTensors, METADATA, SHAPE, TENSORS, TOKENS, weights } from '../tiny-llama.ts';

function open(fields: Record<string, Field> = {}, tensors: Tensor[] = ggufTensors()) {
  return ggufCheckpoint(memorySource('model.gguf', ggufBytes({ ...METADATA, ...fields }, tensors)));
}

test('shape and special tokens come from the metadata', async () => {
  const { shape, specialTokens } = await open();
  expect(shape).toEqual(SHAPE);
  expect(specialTokens).toEqual({ begin: 1, end: 2, padding: 2, stop: [2, 0] });
});

test('every tensor is found by its name on the hub', async () => {
  const checkpoint = await open();
  for (const [name, shape] of Object.entries(TENSORS)) {
    const values = checkpoint.tensor(name, shape);
    if (!/[qk]_proj/.test(name)) expect(values).toEqual(weights(name, values.length));
  }
});

test('the interleaved rows of Q and K are put in order, head by head', async () => {
  const name = 'model.layers.0.self_attn.q_proj.weight';
  const stored = weights(name, 64 * 64);
  const values = (await open()).tensor(name, [64, 64]);
  const row = (of: Float32Array, i: number) => of.subarray(i * 64, (i + 1) * 64);
  // Pair i of a head is stored as rows 2i and 2i + 1; on the hub as rows i and 16 + i.
  expect(row(values, 0)).toEqual(row(stored, 0));
  expect(row(values, 1)).toEqual(row(stored, 2));
  expect(row(values, 16)).toEqual(row(stored, 1));
  expect(row(values, 32 + 17)).toEqual(row(stored, 32 + 3));
});

test('a missing tensor is named', async () => {
  const tensors = ggufTensors().filter(({ name }) => name !== 'output_norm.weight');
  const checkpoint = await open({}, tensors);
  expect(() => checkpoint.tensor('model.norm.weight', [64])).toThrow(
    'model.gguf lacks the tensor model.norm.weight.',
  );
});

test('a tensor of another shape is refused', async () => {
  const checkpoint = await open();
  expect(() => checkpoint.tensor('model.norm.weight', [65])).toThrow(
    'has shape [64] instead of [65]',
  );
});

test('models other than plain Llamas are refused', async () => {
  const tensor = { type: 0, shape: [1], bytes: new Uint8Array(4) };
  const with_ = (name: string) => [...ggufTensors(), { ...tensor, name }];
  await expect(open({ 'general.architecture': { string: 'qwen2' } })).rejects.toThrow(
    'qwen2; only llama',
  );
  await expect(open({}, with_('output.weight'))).rejects.toThrow(
    'tensor output.weight are not supported',
  );
  await expect(open({}, with_('blk.0.attn_q.bias'))).rejects.toThrow(
    'attn_q.bias are not supported',
  );
  await expect(open({ 'llama.rope.scaling.type': { string: 'yarn' } })).rejects.toThrow(
    'scaling (yarn)',
  );
});

test('the tokenizer is made from the BPE tables', async () => {
  const tokenizer: unknown = JSON.parse((await open()).tokenizer);
  expect(tokenizer).toMatchObject({
    pre_tokenizer: {
      pretokenizers: [
        { type: 'Digits', individual_digits: true },
        { type: 'ByteLevel', add_prefix_space: false, use_regex: true },
      ],
    },
    decoder: { type: 'ByteLevel' },
    model: { type: 'BPE', merges: ['Ġ a'], vocab: { '<|im_end|>': 2, Ġ: 5 } },
    added_tokens: [
      ...TOKENS.slice(0, 3).map((content, id) => ({ id, content, special: true })),
      { id: 3, content: '<think>', special: false },
    ],
  });
});

test('a token named `__proto__` is kept', async () => {
  const tokens = [...TOKENS.slice(0, 5), '__proto__'];
  const { tokenizer } = await open({ 'tokenizer.ggml.tokens': { strings: tokens } });
  expect(tokenizer).toContain('"__proto__":5');
});

test('the chat template and the names of special tokens go into tokenizer_config.json', async () => {
  expect(JSON.parse((await open()).tokenizerConfig)).toMatchObject({
    bos_token: '<|im_start|>',
    eos_token: '<|im_end|>',
    pad_token: null,
    model_max_length: 128,
    chat_template: '{{ messages }}',
  });
});

test('an unknown pre-tokenizer is refused', async () => {
  await expect(open({ 'tokenizer.ggml.pre': { string: 'llama-bpe' } })).rejects.toThrow(
    'gpt2/llama-bpe',
  );
  await expect(open({ 'tokenizer.ggml.model': { string: 'llama' } })).rejects.toThrow(
    'llama/smollm',
  );
});
