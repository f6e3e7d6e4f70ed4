import { getDocument, PasswordException, type PDFDocumentProxy } from 'unpdf/pdfjs';
import type { PdfAnswer } from './pdf-messages.ts';

/**
 * Reads the text of one PDF in a worker, so that a large file does not block the page. The answer goes to a port of its
 * own, because pdf.js sends other messages from the worker.
 */
addEventListener('message', ({ data, ports: [port] }: MessageEvent<ArrayBuffer>) => {
  if (port) void read(data).then((answer) => port.postMessage(answer));
});

async function read(data: ArrayBuffer): Promise<PdfAnswer> {
  try {
    // A site's policy may forbid `eval`, and reading text needs no system fonts.
    const options = { data, isEvalSupported: false, useSystemFonts: false, verbosity: 0 };
    const pdf = await getDocument(options).promise;
    return { text: await textOf(pdf) };
  } catch (error) {
    return { fault: error instanceof PasswordException ? 'password' : 'broken' };
  }
}

/** The text of all pages, with an empty line between them. */
async function textOf(pdf: PDFDocumentProxy): Promise<string> {
  const pages: string[] = [];
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    const parts = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : ''));
    pages.push(parts.join('').trim());
    page.cleanup();
  }
  return pages.filter((page) => page !== '').join('\n\n');
}
