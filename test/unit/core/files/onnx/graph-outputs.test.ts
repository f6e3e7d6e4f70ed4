import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { graphOutput, graphOutputs } from '../../../../../src/core/files/onnx/graph-outputs.ts';
import { FLOAT, INT64, onnxFile } from '../../../../support/onnx/onnx.ts';

const PACK = join(import.meta.dirname, '../../../../../models/packs/tiny-embed');

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
  // A file that ends early has no known outputs, and neither has a file that is not a graph.
  expect(graphOutputs(file.subarray(0, file.length / 2))).toEqual([]);
  expect(graphOutputs(readFileSync(join(PACK, 'tokenizer.json')))).toEqual([]);
});

const MEGABYTE = 1 << 20;

/** A file with this many bytes of weights before its outputs. */
function heavyFile(bytes: number) {
  return onnxFile({
    inputs: [{ name: 'texts', type: INT64, shape: ['batch', 3] }],
    outputs: [
      { name: 'texts_of_more', type: FLOAT, shape: ['batch', 9] },
      { name: 'texts', type: FLOAT, shape: ['batch', 768] },
    ],
    nodes: [{ op: 'Identity', inputs: ['ids'], outputs: ['texts'] }],
    // Each float has the byte that begins an output: 98.
    weights: [{ name: 'b', shape: [bytes / 4], values: new Float32Array(bytes / 4).fill(1e21) }],
  });
}

test('of a large graph, only the end is read', async () => {
  const file = heavyFile(17 * MEGABYTE);
  const readFrom = vi.fn(async (start: number) => file.subarray(start));
  const size = file.length;
  expect(await graphOutput({ size, readFrom }, 'texts')).toEqual({
    name: 'texts',
    shape: [undefined, 768],
  });
  // The names of weights and of nodes' outputs are not outputs of the graph.
  expect(await graphOutput({ size, readFrom }, 'b')).toBeUndefined();
  expect(await graphOutput({ size, readFrom }, 'text')).toBeUndefined();
  expect(readFrom.mock.calls.flat()).toEqual([size - MEGABYTE, size - MEGABYTE, size - MEGABYTE]);
  const cannot = () => Promise.resolve(undefined);
  expect(await graphOutput({ size, readFrom: cannot }, 'texts')).toBe('unknown');
});

test('a small graph is read whole', async () => {
  const file = heavyFile(MEGABYTE);
  const readFrom = vi.fn(async (start: number) => file.subarray(start));
  const found = await graphOutput({ size: file.length, readFrom }, 'texts');
  expect(found).toEqual({ name: 'texts', shape: [undefined, 768] });
  expect(readFrom.mock.calls).toEqual([[0]]);
});
