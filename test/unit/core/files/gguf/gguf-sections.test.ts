import { expect, test } from 'vitest';
import { readGgufHeader } from '../../../../../src/core/files/gguf/gguf-header.ts';
import { ggufSections } from '../../../../../src/core/files/gguf/gguf-sections.ts';
import { tensorBytes } from '../../../../../src/core/files/gguf/tensor-bytes.ts';
import { memoryRanges } from '../../../../support/gguf/memory-ranges.ts';
import { splitTinyGguf, tinyGguf } from '../../../../support/gguf/tiny-gguf.ts';

/** The sections of a model as files. */
async function sectionsOf(files: readonly Buffer[], mostBytes: number): Promise<Buffer[]> {
  const headers = await Promise.all(files.map((file) => readGgufHeader(memoryRanges(file))));
  const metadata = files[0]?.subarray(0, headers[0]?.listAt) ?? Buffer.alloc(0);
  return ggufSections(headers, metadata, mostBytes).map(({ header, file, start, end }) =>
    Buffer.concat([header, files[file]?.subarray(start, end) ?? Buffer.alloc(0)]),
  );
}

/** The bytes of all tensors, by name. */
async function tensorsOf(files: readonly Buffer[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const file of files) {
    const { tensors } = await readGgufHeader(memoryRanges(file));
    for (const tensor of tensors) {
      const bytes = file.subarray(tensor.offset, tensor.offset + tensorBytes(tensor));
      found.set(`${tensor.name} ${tensor.type} ${tensor.shape.join()}`, bytes.toString('base64'));
    }
  }
  return found;
}

test.each([
  ['of one file', [tinyGguf()]],
  ['of a split model', splitTinyGguf(2)],
])('the sections %s have its tensors, and say how many sections there are', async (_, files) => {
  const sections = await sectionsOf(files, 50_000);
  expect(sections.length).toBeGreaterThan(4);
  expect(await tensorsOf(sections)).toEqual(await tensorsOf(files));
  const all = [...(await tensorsOf(files))].length;
  const [first, ...others] = await Promise.all(
    sections.map((section) => readGgufHeader(memoryRanges(section))),
  );
  const [given] = await Promise.all(files.map((file) => readGgufHeader(memoryRanges(file))));
  expect(new Map(first?.metadata)).toEqual(
    new Map([
      ...(given?.metadata ?? []),
      ['split.no', 0],
      ['split.count', sections.length],
      ['split.tensors.count', all],
    ]),
  );
  expect(others.map(({ metadata }) => metadata.get('split.no'))).toEqual(
    others.map((_each, index) => index + 1),
  );
});

test('a tensor that is larger than a section has one of its own', async () => {
  const sections = await sectionsOf([tinyGguf()], 1);
  const { size } = await tensorsOf([tinyGguf()]);
  expect(sections).toHaveLength(size);
});
