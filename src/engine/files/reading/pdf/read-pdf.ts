import { getDocument, PasswordException } from 'unpdf/pdfjs';
import type { PdfOutcome } from '../../../../core/operations/jobs/file-jobs.ts';
import { pdfPages } from '../../../../core/text/pdf-pages.ts';

/** Most characters that are read of a PDF, and most pages. */
const MOST_TEXT = 64_000_000;
const MOST_PAGES = 50_000;

/** Reads the text of a PDF. Says after each page how many have been read. */
export async function* readPdf(content: Blob): AsyncGenerator<PdfOutcome, void, undefined> {
  try {
    const data = await content.arrayBuffer();
    // A site's policy may forbid `eval`, and reading text needs no system fonts.
    const options = { data, isEvalSupported: false, useSystemFonts: false, verbosity: 0 };
    const pdf = await getDocument(options).promise;
    const pages: string[] = [];
    let length = 0;
    for await (const page of pdfPages(pdf)) {
      length += page.length;
      if (length > MOST_TEXT || pages.push(page) > MOST_PAGES) return yield { fault: 'long' };
      yield { pages: pages.length };
    }
    yield { text: pages.filter(Boolean).join('\n\n') };
  } catch (error) {
    yield { fault: error instanceof PasswordException ? 'password' : 'broken' };
  }
}
