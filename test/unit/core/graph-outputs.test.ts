import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { graphOutputs } from '../../../src/core/graph-outputs.ts';
import { FLOAT, INT64, onnxFile } from '../../support/onnx.ts';

const PACK = join(import.meta.dirname, '../../../models/packs/tiny-embed');

test('a graph tells its outputs and what is known of their shapes', () => {
  const file = onnxFile({
    inputs: [{ name: 'ids', type: INT64, shape: ['batch', 3] }],
    outputs: [
      { name: 'states', type: FLOAT, shape: ['batch', 3, 4] },
      { name: 'texts', type: FLOAT, shape: ['batch', 'width'] },
      { name: 'scalar', type: FLOAT, shape: [] },
    ],
    nodes: [{ op: 'Identity', inputs: ['ids'], outputs: ['states'], attributes: { axis: -1 } }],
    weights: [{ name: 'many', shape: [200], values: new Float32Array(200) }],
  });
  expect(graphOutputs(file)).toEqual([
    { name: 'states', shape: [undefined, 3, 4] },
    { name: 'texts', shape: [undefined, undefined] },
    { name: 'scalar', shape: [] },
  ]);
});

test('the graph of a trained model is read', () => {
  const file = readFileSync(join(PACK, 'onnx/model.onnx'));
  expect(graphOutputs(file)).toEqual([
    { name: 'last_hidden_state', shape: [undefined, undefined, 128] },
  ]);
  // Of a file that ends early, and of one that is no graph, nothing is known.
  expect(graphOutputs(file.subarray(0, file.length / 2))).toEqual([]);
  expect(graphOutputs(readFileSync(join(PACK, 'tokenizer.json')))).toEqual([]);
});
