import { getDocument, PasswordException, type PDFDocumentProxy } from 'unpdf/pdfjs';
import { pdfPages } from '../../../core/text/pdf-pages.ts';
import type { PdfAnswer } from './read-pdf.ts';

/**
 * Reads the text of one PDF in a worker, so that a large file does not block the page. The answer goes to a port of its
 * own, because pdf.js sends other messages from the worker.
 */
addEventListener('message', ({ data, ports: [port] }: MessageEvent<ArrayBuffer>) => {
  if (port) void readPdf(data, (answer) => port.postMessage(answer));
});

/** A PDF with more text is refused, characters: no model's context holds it. */
const MOST_TEXT = 8_000_000;
/** How often the reader says how far it is, milliseconds. */
const TELL_MS = 100;

async function readPdf(data: ArrayBuffer, tell: (answer: PdfAnswer) => void): Promise<void> {
  try {
    // A site's policy may forbid `eval`, and reading text needs no system fonts.
    const options = { data, isEvalSupported: false, useSystemFonts: false, verbosity: 0 };
    const pdf = await getDocument(options).promise;
    const text = await textOf(pdf, tell);
    tell(text === undefined ? { fault: 'long' } : { text });
  } catch (error) {
    tell({ fault: error instanceof PasswordException ? 'password' : 'broken' });
  }
}

/** The text of all pages, with an empty line between them; undefined: it is too long. */
async function textOf(
  pdf: PDFDocumentProxy,
  tell: (answer: PdfAnswer) => void,
): Promise<string | undefined> {
  const pages: string[] = [];
  let [read, length, told] = [0, 0, -Infinity];
  for await (const text of pdfPages(pdf)) {
    read++;
    // The user sees a file that claims too many pages, and can cancel it.
    if (performance.now() - told >= TELL_MS) {
      tell({ pages: { read, all: pdf.numPages } });
      told = performance.now();
    }
    if (text === '') continue;
    length += text.length;
    if (length > MOST_TEXT) return undefined;
    pages.push(text);
  }
  return pages.join('\n\n');
}
