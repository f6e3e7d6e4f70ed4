import { expect, test } from 'vitest';
import { ModelFiles, type ModelPart } from '../../../../src/engine/llamacpp/model-files.ts';
import { readTinyChat, sized } from '../../support/models/tiny-chat-llama.ts';

const MEMORY = 16_000_000;

/** A memory without a program in it. */
function files(parts: ModelPart[], bytes = MEMORY) {
  const added: { path: string; pointer: number; size: number }[] = [];
  let end = 8;
  const memory = {
    HEAPU8: new Uint8Array(bytes),
    _malloc: (size: number) => {
      end += size;
      return end > bytes ? 0 : end - size;
    },
    addFileInMemory: (path: string, pointer: number, size: number) =>
      void added.push({ path, pointer, size }),
  };
  const reports: number[] = [];
  const placed = new ModelFiles(memory, parts, (part) => reports.push(part));
  const contents = () =>
    added.map(({ pointer, size }) => memory.HEAPU8.slice(pointer, pointer + size));
  return { placed, added, reports, contents };
}

const text = (content: string) => Uint8Array.from(Buffer.from(content));

test('files are put side by side, where weights may begin', () => {
  const { added, placed } = files([
    { name: 'a', size: 5 },
    { name: 'b', size: 7 },
  ]);
  expect(added.map(({ path, size }) => [path, size])).toEqual([
    ['/a', 5],
    ['/b', 7],
  ]);
  expect(added.every(({ pointer }) => pointer % 32 === 0)).toBe(true);
  expect(placed.paths).toEqual(['/a', '/b']);
});

test('bytes come in pieces, and what is there is reported', async () => {
  const { placed, contents, reports } = files([
    { name: 'a', size: 5 },
    { name: 'b', size: 3 },
  ]);
  placed.fill(0, [text('He'), text('ll')]);
  placed.fill(1, [text('you')]);
  let isWhole = false;
  const whole = placed.whole().then(() => (isWhole = true));
  await new Promise(setImmediate);
  expect(isWhole).toBe(false);
  placed.fill(0, [text('o')]);
  await whole;
  expect(contents().map((bytes) => Buffer.from(bytes).toString())).toEqual(['Hello', 'you']);
  expect(reports).toEqual([0.25, 0.5, 0.87, 1]);
});

test('bytes beyond the end are left out', () => {
  const { placed, contents } = files([
    { name: 'a', size: 3 },
    { name: 'b', size: 3 },
  ]);
  placed.fill(1, [text('you')]);
  placed.fill(0, [text('x'.repeat(100))]);
  expect(contents().map((bytes) => Buffer.from(bytes).toString())).toEqual(['xxx', 'you']);
});

test('a header can be read as soon as it is there', async () => {
  const content = readTinyChat();
  const { placed } = files([{ name: 'tiny.gguf', size: content.length }]);
  const reading = placed.headers();
  placed.fill(0, [content.slice(0, 2 << 20)]);
  const [header] = await reading;
  expect(header?.tensors.length).toBeGreaterThan(10);
});

test('Blobs are read', async () => {
  const content = readTinyChat();
  const { placed, contents } = files([{ name: 'tiny.gguf', ...sized(content) }]);
  await placed.whole();
  expect(contents()).toEqual([content]);
});

test('a Blob that cannot be read is an error for whoever waits', async () => {
  const blob = new Blob(['abc']);
  const gone = new DOMException('It is gone.', 'NotReadableError');
  blob.stream = () => new ReadableStream({ type: 'bytes', start: (stream) => stream.error(gone) });
  const { placed } = files([{ name: 'a.gguf', size: 100, blob }]);
  const header = placed.headers();
  await expect(placed.whole()).rejects.toThrow('a.gguf cannot be read.');
  await expect(header).rejects.toThrow('a.gguf cannot be read.');
});

test('a file that does not fit is a failure for lack of memory', () => {
  expect(() => files([{ name: 'a', size: MEMORY }])).toThrow('There is not enough memory.');
});
