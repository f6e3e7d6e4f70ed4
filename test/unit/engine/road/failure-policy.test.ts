import { expect, test } from 'vitest';
import { invalidRequest, serverError } from '../../../../src/core/errors/errors.ts';
import type { Task } from '../../../../src/core/catalog/catalog-entry.ts';
import type { EngineName } from '../../../../src/core/catalog/variant.ts';
import {
  consequenceOf,
  ModelLost,
  type Consequence,
  type Phase,
} from '../../../../src/engine/road/failure-policy.ts';

const ERRORS = {
  'a bad request': invalidRequest('Too long.'),
  'a failure of the engine': serverError('engine_error', 'No possible token.'),
  'a broken file of the site': serverError('site_file_broken', 'onnx.js is empty.'),
  'a hang': serverError('timeout', 'No output.'),
  'no memory': serverError('out_of_memory', 'Full.'),
  'a wrong file': serverError('model_unusable', 'No JSON.'),
  'a lost worker': new ModelLost(serverError('engine_error', 'It has ended.').data),
  'an unforeseen error': new Error('Tokenizer instance already deleted'),
  'a closed database': new DOMException('The connection is closing.', 'InvalidStateError'),
};

type Row = [Task, EngineName, Phase, keyof typeof ERRORS, Consequence];

const TABLE: Row[] = [
  ['chat', 'webllm', 'answer', 'a bad request', 'request failed'],
  ['chat', 'webllm', 'answer', 'a failure of the engine', 'request failed'],
  ['chat', 'webllm', 'answer', 'a hang', 'engine replaced'],
  ['chat', 'webllm', 'answer', 'an unforeseen error', 'engine replaced'],
  ['chat', 'webllm', 'load', 'a hang', 'engine replaced'],
  ['chat', 'webllm', 'load', 'no memory', 'engine replaced'],
  ['chat', 'webllm', 'load', 'a wrong file', 'request failed'],
  ['chat', 'webllm', 'load', 'a closed database', 'request failed'],
  ['chat', 'webllm', 'unload', 'an unforeseen error', 'engine replaced'],
  ['chat', 'webllm', 'other', 'an unforeseen error', 'request failed'],
  ['chat', 'webllm', 'other', 'a closed database', 'request failed'],
  ['chat', 'llamacpp', 'answer', 'a bad request', 'request failed'],
  ['chat', 'llamacpp', 'answer', 'a failure of the engine', 'request failed'],
  ['chat', 'llamacpp', 'answer', 'no memory', 'request failed'],
  ['chat', 'llamacpp', 'answer', 'an unforeseen error', 'request failed'],
  ['chat', 'llamacpp', 'answer', 'a hang', 'model dropped'],
  ['chat', 'llamacpp', 'answer', 'a lost worker', 'model dropped'],
  ['chat', 'llamacpp', 'load', 'a hang', 'model dropped'],
  ['chat', 'llamacpp', 'load', 'no memory', 'request failed'],
  ['chat', 'llamacpp', 'load', 'a closed database', 'request failed'],
  ['chat', 'llamacpp', 'other', 'a hang', 'request failed'],
  ['chat', 'builtin', 'answer', 'a hang', 'request failed'],
  ['speech', 'onnx', 'answer', 'a bad request', 'request failed'],
  ['speech', 'onnx', 'answer', 'a failure of the engine', 'worker replaced'],
  ['speech', 'onnx', 'answer', 'a broken file of the site', 'request failed'],
  ['speech', 'onnx', 'load', 'a broken file of the site', 'worker replaced'],
  ['transcription', 'onnx', 'load', 'an unforeseen error', 'worker replaced'],
  ['embedding', 'llamacpp', 'answer', 'a hang', 'worker replaced'],
  ['rerank', 'llamacpp', 'answer', 'no memory', 'worker replaced'],
  ['embedding', 'onnx', 'other', 'a closed database', 'request failed'],
];

test.each(TABLE)('%s by %s, %s: %s → %s', (task, engine, phase, error, consequence) => {
  expect(consequenceOf({ task, engine }, ERRORS[error], phase)).toBe(consequence);
});
