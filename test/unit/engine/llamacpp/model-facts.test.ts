import { describe, expect, test } from 'vitest';
import { GgufError } from '../../../../src/core/files/gguf/gguf-error.ts';
import { readModelFacts } from '../../../../src/engine/llamacpp/model-facts.ts';
import { ggufBytes, type Field } from '../../../support/gguf/gguf-bytes.ts';

const TOKENIZER: Record<string, Field> = {
  'tokenizer.ggml.model': { string: 'gpt2' },
  'tokenizer.ggml.tokens': { strings: ['a', '<|im_start|>', '<|im_end|>', '<tool_call>', 'b'] },
  'tokenizer.ggml.token_type': { i32s: [1, 3, 3, 4, 1] },
  'tokenizer.ggml.bos_token_id': { u32: 1 },
  'tokenizer.ggml.eos_token_id': { u32: 2 },
  'tokenizer.chat_template': { string: '{{ messages }}' },
};

function factsOf(changes: Record<string, Field>) {
  const bytes = ggufBytes({ ...TOKENIZER, ...changes }, []);
  return readModelFacts('model.gguf', new Blob([Uint8Array.from(bytes)]));
}

test('the tokenizer’s facts are those of the header', async () => {
  expect((await factsOf({})).tokenizer).toEqual({
    chatTemplate: '{{ messages }}',
    bosToken: '<|im_start|>',
    eosToken: '<|im_end|>',
    controlTokens: ['<|im_start|>', '<|im_end|>'],
    tokenIds: new Map([
      ['<|im_start|>', 1],
      ['<|im_end|>', 2],
      ['<tool_call>', 3],
    ]),
  });
});

test('a file without a tokenizer’s facts has none', async () => {
  const bytes = ggufBytes({ 'general.architecture': { string: 'llama' } }, []);
  const facts = await readModelFacts('model.gguf', new Blob([Uint8Array.from(bytes)]));
  expect(facts).toEqual({
    tokenizer: {
      chatTemplate: undefined,
      bosToken: '',
      eosToken: '',
      controlTokens: [],
      tokenIds: new Map(),
    },
    sampling: {},
    stripsFirstSpace: false,
  });
});

describe('the chat template', () => {
  test('is the default one of several', async () => {
    const named = { 'tokenizer.chat_template.tool_use': { string: 'tools' } };
    expect((await factsOf(named)).tokenizer.chatTemplate).toBe('{{ messages }}');
  });

  test('is a named one if there is no other', async () => {
    const bytes = ggufBytes({ 'tokenizer.chat_template.rag': { string: 'rag' } }, []);
    const facts = await readModelFacts('model.gguf', new Blob([Uint8Array.from(bytes)]));
    expect(facts.tokenizer.chatTemplate).toBe('rag');
  });

  test('that is empty counts as none', async () => {
    const { tokenizer } = await factsOf({ 'tokenizer.chat_template': { string: '' } });
    expect(tokenizer.chatTemplate).toBeUndefined();
  });
});

test('the file’s sampling defaults are used, except for those that switch something off', async () => {
  const all = await factsOf({
    'general.sampling.temp': { f32: 0.5 },
    'general.sampling.top_p': { f32: 0.75 },
    'general.sampling.top_k': { u32: 20 },
    'general.sampling.min_p': { f32: 0.125 },
    'general.sampling.penalty_repeat': { f32: 1.25 },
  });
  expect(all.sampling).toEqual({
    temperature: 0.5,
    topP: 0.75,
    topK: 20,
    minP: 0.125,
    repetitionPenalty: 1.25,
  });
  const off = await factsOf({ 'general.sampling.top_k': { u32: 0 } });
  expect(off.sampling).toEqual({});
});

test('only SentencePiece’s tokenizers add a space that decoding drops, unless the file says no', async () => {
  expect((await factsOf({})).stripsFirstSpace).toBe(false);
  const llama = { 'tokenizer.ggml.model': { string: 'llama' } };
  expect((await factsOf(llama)).stripsFirstSpace).toBe(true);
  const without = { ...llama, 'tokenizer.ggml.add_space_prefix': { bool: false } };
  expect((await factsOf(without)).stripsFirstSpace).toBe(false);
});

test('a file that is no GGUF file is refused by its name', async () => {
  const reading = readModelFacts('photo.gguf', new Blob(['x'.repeat(100)]));
  await expect(reading).rejects.toThrow(GgufError);
  await expect(reading).rejects.toThrow('photo.gguf is not a GGUF file.');
});
