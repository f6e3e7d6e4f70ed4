import { htmlText, wordText } from './markup-text.ts';
import type { ReadPdf } from './pdf/pdf-reader.ts';
import { Unreadable } from './unreadable.ts';
import { unzipped } from './unzip.ts';

/** The first bytes of files that are not text. */
const MAGICS: [bytes: string, what: string][] = [
  ['\x89PNG', 'Images are'],
  ['\xff\xd8\xff', 'Images are'],
  ['GIF8', 'Images are'],
  ['RIFF', 'Media files are'],
];

/** The text of a file. @throws Unreadable; ApiError if a PDF cannot be read now */
export async function fileText(
  filename: string,
  content: Blob,
  readPdf: ReadPdf,
  signal: AbortSignal,
): Promise<string> {
  const bytes = new Uint8Array(await content.arrayBuffer());
  const start = String.fromCharCode(...bytes.subarray(0, 4));
  const [, what] = MAGICS.find(([magic]) => start.startsWith(magic)) ?? [];
  if (what) throw new Unreadable('unsupported_file', `${what} not read.`);
  if (start === '%PDF' || /\.pdf$/i.test(filename)) return pdfText(content, readPdf, signal);
  const text = start === 'PK\x03\x04' ? await documentText(bytes) : plainText(bytes);
  const isHtml = /\.(html?|xhtml)$/i.test(filename) || /^\s*<(!doctype html|html)\b/i.test(text);
  const read = isHtml ? htmlText(text) : text;
  if (read.trim() === '') throw new Unreadable('invalid_file', 'The file has no text.');
  return read;
}

async function pdfText(content: Blob, readPdf: ReadPdf, signal: AbortSignal): Promise<string> {
  const text = await readPdf(content, signal);
  if (text !== '') return text;
  throw new Unreadable('invalid_file', 'The PDF has no text: its pages are pictures.');
}

async function documentText(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const xml = await unzipped(bytes, 'word/document.xml');
  if (xml) return wordText(new TextDecoder().decode(xml));
  throw new Unreadable('unsupported_file', 'Of archives, only DOCX files are read.');
}

function plainText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const isWide = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  const encoding = isWide ? (first === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8';
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    if (!text.includes('\0')) return text;
  } catch {
    throw new Unreadable('invalid_file', 'The file is neither UTF-8 nor UTF-16.');
  }
  throw new Unreadable('unsupported_file', 'The file is not text.');
}
