import * as fc from 'fast-check';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { GgufError } from '../../../../../src/core/files/gguf/gguf-error.ts';
import {
  field,
  readGgufHeader,
  texts,
  type ByteRanges,
} from '../../../../../src/core/files/gguf/gguf-header.ts';
import { GgufTexts } from '../../../../../src/core/files/gguf/gguf-texts.ts';
import { f32Bytes, ggufBytes } from '../../../../support/gguf/gguf-bytes.ts';

const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_121);
const MIB = 1024 * 1024;

const tensor = { name: 'x', type: 0, shape: [2, 3], bytes: f32Bytes([1, 2, 3, 4, 5, 6]) };

/** A file as a browser has it; `reads` collects the ranges that were asked for. */
function blobFile(bytes: Uint8Array, reads: [offset: number, length: number][] = []): ByteRanges {
  const blob = new Blob([new Uint8Array(bytes)]);
  return {
    name: 'model.gguf',
    size: blob.size,
    async read(offset, length) {
      reads.push([offset, length]);
      return new Uint8Array(await blob.slice(offset, offset + length).arrayBuffer());
    },
  };
}

function read(bytes: Uint8Array) {
  return readGgufHeader(blobFile(bytes));
}

test('metadata of every kind is read', async () => {
  const header = await read(
    ggufBytes(
      {
        a: { u32: 7 },
        b: { u64: 2 ** 40 },
        c: { f32: 0.5 },
        d: { bool: true },
        e: { string: 'é' },
        f: { i32s: [1, 2] },
        g: { strings: ['x', 'yz'] },
      },
      [],
    ),
  );
  const { g, ...values } = Object.fromEntries(header.metadata);
  expect(values).toEqual({ a: 7, b: 2 ** 40, c: 0.5, d: true, e: 'é', f: [1, 2] });
  expect(g).toBeInstanceOf(GgufTexts);
  const list = field(header, 'g', texts);
  expect([list.length, list.at(0), list.at(1), list.at(2)]).toEqual([2, 'x', 'yz', undefined]);
  expect(list.at(-1)).toBeUndefined();
});

test('a byte order mark is part of a string', async () => {
  const header = await read(ggufBytes({ key: { strings: ['\ufeff', '\ufeff//'] } }, []));
  expect(field(header, 'key', texts).all()).toEqual(['\ufeff', '\ufeff//']);
});

test('tensors are found with the contiguous dimension last, at aligned offsets', async () => {
  const bytes = ggufBytes({ key: { string: 'odd' } }, [tensor, { ...tensor, name: 'y' }]);
  const { tensors } = await read(bytes);
  expect(tensors).toEqual([
    { name: 'x', type: 0, shape: [2, 3], offset: bytes.length - 64 },
    { name: 'y', type: 0, shape: [2, 3], offset: bytes.length - 32 },
  ]);
});

test('a header longer than the first read is read whole, and nothing twice', async () => {
  const strings = Array.from({ length: 9 }, (_, i) => String(i).repeat(700_000));
  const bytes = ggufBytes({ key: { strings }, last: { string: 'z'.repeat(3 * MIB) } }, [tensor]);
  const reads: [number, number][] = [];
  const header = await readGgufHeader(blobFile(bytes, reads));
  expect(field(header, 'key', texts).all()).toEqual(strings);
  expect(header.metadata.get('last')).toBe('z'.repeat(3 * MIB));
  let end = 0;
  for (const [offset, length] of reads) {
    expect(offset).toBe(end);
    end = offset + length;
  }
  expect(reads.length).toBeGreaterThan(1);
});

test('the weights are not read', async () => {
  const large = { ...tensor, shape: [4 * MIB], bytes: new Uint8Array(16 * MIB) };
  const reads: [number, number][] = [];
  await readGgufHeader(blobFile(ggufBytes({}, [large]), reads));
  expect(reads).toEqual([[0, MIB]]);
});

test('another file is refused', async () => {
  const other = Buffer.from('PK and so on, for as long as it takes');
  await expect(read(other)).rejects.toThrow(new GgufError('model.gguf is not a GGUF file.'));
  await expect(read(new Uint8Array(3))).rejects.toThrow('not a GGUF file');
});

test('an unknown version is refused', async () => {
  const bytes = ggufBytes({}, []);
  bytes[4] = 9;
  await expect(read(bytes)).rejects.toThrow('GGUF file of version 9; only 2 and 3');
});

test('a header that ends early is refused, wherever it ends', async () => {
  const bytes = Buffer.from(ggufBytes({ key: { string: 'value' } }, []));
  const end = bytes.indexOf('value') + 'value'.length;
  for (let length = 24; length < end; length++) {
    await expect(read(bytes.subarray(0, length)), `${length} bytes`).rejects.toThrow(
      /^model\.gguf is truncated: /,
    );
  }
  expect((await read(bytes.subarray(0, end))).metadata.get('key')).toBe('value');
});

test('an absurd count is damage, not an attempt to allocate', async () => {
  const bytes = Buffer.from(ggufBytes({}, []));
  bytes.writeBigUInt64LE(2n ** 50n, 8);
  await expect(read(bytes)).rejects.toThrow('is truncated');
  bytes.writeBigUInt64LE(2n ** 63n, 8);
  await expect(read(bytes)).rejects.toThrow('is damaged');
  const list = Buffer.from(ggufBytes({ key: { strings: ['value'] } }, []));
  list.writeBigUInt64LE(2n ** 40n, list.indexOf('value') - 16);
  await expect(read(list)).rejects.toThrow('is truncated');
});

test('a header that claims gigabytes is damage, however large the file', async () => {
  const bytes = Buffer.from(ggufBytes({ key: { string: 'value' } }, []));
  bytes.writeBigUInt64LE(2n ** 32n, bytes.indexOf('value') - 8);
  const file = { ...blobFile(bytes), size: 2 ** 40 };
  const padded = (_: number, length: number) => Buffer.concat([bytes], length);
  await expect(readGgufHeader({ ...file, read: padded })).rejects.toThrow(
    'model.gguf is damaged: its header has more than 134217728 bytes.',
  );
});

test('a source that sends less than was asked for is an error, not a header full of zeros', async () => {
  const file = { ...blobFile(ggufBytes({}, [])), read: () => new Uint8Array(7) };
  await expect(readGgufHeader(file)).rejects.toThrow('could not be read: 7 bytes arrived');
});

test('a value of unknown type is named, and so is an array of arrays', async () => {
  const bytes = Buffer.from(ggufBytes({ key: { i32s: [1] } }, []));
  const arrayType = bytes.indexOf('key') + 'key'.length;
  for (const type of [9, 13]) {
    bytes.writeUInt32LE(type, arrayType + 4);
    await expect(read(bytes)).rejects.toThrow(`metadata field key has unknown type ${type}.`);
  }
  bytes.writeUInt32LE(99, arrayType);
  await expect(read(bytes)).rejects.toThrow('metadata field key has unknown type 99.');
});

test('an alignment of nothing is refused', async () => {
  const bytes = ggufBytes({ 'general.alignment': { u32: 0 } }, [tensor]);
  await expect(read(bytes)).rejects.toThrow('metadata field general.alignment: Invalid value');
});

test('a missing or mistyped field is named', async () => {
  const header = await read(ggufBytes({ key: { string: 'value' } }, []));
  expect(() => field(header, 'none', v.number())).toThrow('lacks the metadata field none');
  expect(() => field(header, 'key', v.number())).toThrow('metadata field key: Invalid type');
});

test('whatever bytes are damaged, the file is read or the error is clear', async () => {
  const good = ggufBytes({ key: { string: 'value' }, list: { strings: ['a', 'b'] } }, [tensor]);
  const damage = fc.array(
    fc.record({ at: fc.nat(good.length - 1), byte: fc.integer({ min: 0, max: 255 }) }),
    { minLength: 1, maxLength: 4 },
  );
  const property = fc.asyncProperty(damage, async (changes) => {
    const bytes = new Uint8Array(good);
    for (const { at, byte } of changes) bytes[at] = byte;
    const error: unknown = await read(bytes).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (error !== undefined) expect(error).toBeInstanceOf(GgufError);
  });
  await fc.assert(property, { seed: SEED, numRuns: 500, endOnFailure: true });
});
