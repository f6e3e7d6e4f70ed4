import { rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { memorySource } from '../../../../../src/node/pack/sources/byte-source.ts';
import { readSafetensors } from '../../../../../src/node/pack/formats/safetensors-file.ts';
import { snapshotCheckpoint } from '../../../../../src/node/pack/formats/snapshot-checkpoint.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';
import { CONFIG, safetensorsBytes, SHAPE, TENSORS, weights, writeSnapshot } from '../tiny-llama.ts';

let folder: string;

beforeEach(() => {
  folder = temporaryFolder();
  writeSnapshot(folder);
});

test('shape, special tokens and tensors are read', () => {
  const checkpoint = snapshotCheckpoint(folder);
  expect(checkpoint.shape).toEqual(SHAPE);
  expect(checkpoint.specialTokens).toEqual({ begin: 1, end: 2, padding: 2, stop: [2, 0] });
  for (const [name, shape] of Object.entries(TENSORS)) {
    const values = checkpoint.tensor(name, shape);
    expect(values).toEqual(weights(name, values.length));
  }
  checkpoint.close();
});

test('the configuration of transformers 5 is read', () => {
  writeSnapshot(folder, { ...CONFIG, rope_parameters: { rope_type: 'default', rope_theta: 5e5 } });
  expect(snapshotCheckpoint(folder).shape.ropeTheta).toBe(5e5);
});

test('tokenizer.json is kept, without white space', () => {
  expect(snapshotCheckpoint(folder).tokenizer).toBe('{"model":{"vocab":{"é":0}}}');
});

test('a chat template in a file of its own is found', () => {
  writeFileSync(join(folder, 'tokenizer_config.json'), '{}');
  writeFileSync(join(folder, 'chat_template.jinja'), '{{ x }}');
  expect(snapshotCheckpoint(folder).tokenizerConfig).toBe('{"chat_template":"{{ x }}"}');
});

test.each([
  [{ architectures: ['MistralForCausalLM'] }, 'architecture MistralForCausalLM; only LlamaFor'],
  [{ rope_scaling: { factor: 32 } }, 'rope scaling, which is not supported'],
  [{ rope_parameters: { rope_type: 'yarn', rope_theta: 1 } }, 'rope scaling'],
  [{ attention_bias: true }, 'biases'],
  [{ tie_word_embeddings: false }, 'an output head of its own'],
  [{ hidden_act: 'gelu' }, 'activation gelu'],
  [{ hidden_size: 'wide' }, 'config.json: hidden_size: Invalid type'],
])('a model that is not supported is refused: %j', (change, message) => {
  writeSnapshot(folder, { ...CONFIG, ...change });
  expect(() => snapshotCheckpoint(folder)).toThrow(message);
});

test.each([
  [{ architectures: ['BertModel'] }, 'architecture BertModel; only LlamaForCausalLM'],
  [{}, 'architecture none in its config.json'],
])('a model of another architecture is refused for its architecture: %j', (config, message) => {
  writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
  expect(() => snapshotCheckpoint(folder)).toThrow(message);
});

test('weights in several files are refused', () => {
  rmSync(join(folder, 'model.safetensors'));
  writeFileSync(join(folder, 'model.safetensors.index.json'), '{}');
  expect(() => snapshotCheckpoint(folder)).toThrow('its weights in several files');
});

test.each(['config.json', 'model.safetensors', 'tokenizer.json', 'tokenizer_config.json'])(
  'a missing %s is named',
  (name) => {
    rmSync(join(folder, name));
    expect(() => snapshotCheckpoint(folder)).toThrow(`There is no file ${join(folder, name)}.`);
  },
);

test('a weight file that was cut off is refused', () => {
  truncateSync(join(folder, 'model.safetensors'), 5000);
  expect(() => snapshotCheckpoint(folder)).toThrow(/model.safetensors is truncated/);
  truncateSync(join(folder, 'model.safetensors'), 100);
  expect(() => snapshotCheckpoint(folder)).toThrow(/model.safetensors is truncated/);
});

test('a file of another format is refused', () => {
  const read = (bytes: Uint8Array) => readSafetensors(memorySource('weights', bytes));
  expect(() => read(Buffer.from('<!doctype html>'))).toThrow('weights is not a safetensors file');
  expect(() => read(safetensorsBytes({ x: [2] }, 'I8'))).toThrow('Tensor x has type I8; only F32');
  expect(() => read(safetensorsBytes({ x: [2] }, 'F16'))).toThrow(
    'has a size that does not match its shape',
  );
});
