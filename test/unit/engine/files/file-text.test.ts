import { deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { serverError } from '../../../../src/core/errors/errors.ts';
import { engineOf } from '../../../../src/core/port/engine.ts';
import { fileText } from '../../../../src/engine/files/reading/file-text.ts';
import { pdfReaderOf, type ReadPdf } from '../../../../src/engine/files/reading/pdf/pdf-reader.ts';
import { readPdf } from '../../../../src/engine/files/reading/pdf/read-pdf.ts';
import { scriptFault } from '../../../../src/engine/workers/site-file.ts';
import { pdfFile } from '../../../support/pdf-file.ts';

const read = (name: string, content: BlobPart, reader: ReadPdf = pdfInHere) =>
  fileText(name, new Blob([content]), reader, new AbortController().signal);

/** Reads PDFs with the code of the worker, but in this thread. */
const pdfInHere = pdfReaderOf(() => ({
  ...engineOf<'read-pdf'>({
    async *'read-pdf'({ content }) {
      for await (const outcome of readPdf(content)) yield { type: 'read-pdf', ...outcome };
    },
  }),
  end: () => undefined,
}));

/** A ZIP archive of one file, without checksums, which nobody reads. */
function zip(name: string, content: string, packs = true): Uint8Array<ArrayBuffer> {
  const bytes = packs ? deflateRawSync(content) : Buffer.from(content);
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04_03_4b_50, 0);
  local.writeUInt16LE(name.length, 26);
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02_01_4b_50, 0);
  entry.writeUInt16LE(packs ? 8 : 0, 10);
  entry.writeUInt32LE(bytes.length, 20);
  entry.writeUInt16LE(name.length, 28);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06_05_4b_50, 0);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(local.length + name.length + bytes.length, 16);
  return new Uint8Array(
    Buffer.concat([local, Buffer.from(name), bytes, entry, Buffer.from(name), end]),
  );
}

const WORD =
  '<w:document><w:body><w:p><w:r><w:t xml:space="preserve">Caf&#233; &amp; </w:t><w:t>bar</w:t></w:r></w:p>' +
  '<w:p><w:r><w:t>a</w:t><w:tab/><w:t>b</w:t></w:r></w:p></w:body></w:document>';

test.each([
  ['a.md', '# Title\n\ntext', '# Title\n\ntext'],
  ['a.json', '{"a": 1}', '{"a": 1}'],
  ['noname', 'plain', 'plain'],
  ['a.txt', new Uint8Array([0xff, 0xfe, 0x41, 0]), 'A'],
  ['a.txt', new Uint8Array([0xef, 0xbb, 0xbf, 0x41]), 'A'],
  ['a.docx', zip('word/document.xml', WORD), 'Café & bar\na\tb'],
  ['a.pdf', pdfFile(['One (1)', '', 'Two']), 'One (1)\n\nTwo'],
  ['blob', pdfFile(['One']), 'One'],
  ['blob', zip('word/document.xml', WORD, false), 'Café & bar\na\tb'],
] as [string, BlobPart, string][])('%s is read', async (name, content, text) => {
  expect(await read(name, content)).toBe(text);
});

test('the text of a page is read, without its scripts', async () => {
  const page =
    '<!doctype html><html><head><title>T</title><style>p{}</style></head><body><h1>One</h1>' +
    '<p>two &lt;b&gt; &amp;amp; <b>three</b></p><script>alert(1)</script><ul><li>a<li>b</ul></body></html>';
  expect(await read('blob', page)).toBe('One\n\ntwo <b> &amp; three\n\na\nb');
});

describe('what is not read says why', () => {
  test.each([
    ['a.pdf', '%PDF-1.7', 'invalid_file'],
    ['a.pdf', 'text', 'invalid_file'],
    ['a.pdf', pdfFile(['One']).subarray(0, 200), 'invalid_file'],
    ['locked.pdf', pdfFile(['One'], { isLocked: true }), 'invalid_file'],
    ['scanned.pdf', pdfFile(['', '']), 'invalid_file'],
    ['a.png', new Uint8Array([0x89, 0x50, 0x4e, 0x47]), 'unsupported_file'],
    ['a.zip', zip('other.xml', 'x'), 'unsupported_file'],
    ['a.docx', 'PK\x03\x04', 'unsupported_file'],
    ['a.bin', new Uint8Array([1, 0, 2]), 'unsupported_file'],
    ['a.txt', new Uint8Array([0x80, 0x81]), 'invalid_file'],
    ['a.txt', ' \n', 'invalid_file'],
    ['a.html', '<p></p>', 'invalid_file'],
  ] as [string, BlobPart, string][])('%s', async (name, content, code) => {
    await expect(read(name, content)).rejects.toMatchObject({ code });
  });
});

test('what is wrong with a PDF is said', async () => {
  const locked = read('a.pdf', pdfFile(['One'], { isLocked: true }));
  await expect(locked).rejects.toThrow('The PDF needs a password.');
  await expect(read('a.pdf', pdfFile(['']))).rejects.toThrow('its pages are pictures');
  await expect(read('a.pdf', '%PDF-1.7')).rejects.toThrow('The PDF is damaged.');
});

describe('if the worker for PDFs fails', () => {
  const failing = (error: Error, ended: string[] = []) =>
    pdfReaderOf(() => ({ run: () => Promise.reject(error), end: () => ended.push('ended') }));
  const url = 'https://a.example/files-pdf.js';

  test('because the site has none, the file says what brings it, and the worker is ended', async () => {
    const ended: string[] = [];
    const missing = failing(scriptFault(`${url} is missing.`), ended);
    const reading = read('a.pdf', '%PDF-1.7', missing);
    await expect(reading).rejects.toMatchObject({
      code: 'unsupported_file',
      message: expect.stringMatching(/files-pdf\.js is missing.*init --pdf/),
    });
    expect(ended).toEqual(['ended']);
  });

  test.each([
    scriptFault(`${url} cannot be fetched: the network or the server fails.`),
    serverError('engine_error', 'The browser has ended the pdf worker.'),
  ])('otherwise, the error is passed on: $message', async (error) => {
    await expect(read('a.pdf', '%PDF-1.7', failing(error))).rejects.toBe(error);
  });
});
