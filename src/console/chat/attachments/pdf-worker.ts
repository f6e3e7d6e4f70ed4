import { getDocument, PasswordException, type PDFDocumentProxy } from 'unpdf/pdfjs';
import type { PdfAnswer } from './pdf-messages.ts';

/**
 * Reads the text of one PDF. In a worker, a large file does not stop the page. It answers at a port, because pdf.js
 * sends messages of its own from the worker.
 */
addEventListener('message', ({ data, ports: [port] }: MessageEvent<ArrayBuffer>) => {
  if (port) void read(data).then((answer) => port.postMessage(answer));
});

async function read(data: ArrayBuffer): Promise<PdfAnswer> {
  try {
    // Sites may forbid code that is made of strings, and text needs no fonts of the system.
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
