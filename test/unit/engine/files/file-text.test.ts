import { deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { fileText } from '../../../../src/engine/files/reading/file-text.ts';

const read = (name: string, content: BlobPart) => fileText(name, new Blob([content]));

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
    ['a.pdf', '%PDF-1.7', 'unsupported_file'],
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
