/** The part of a PDF opened by pdf.js that reading its text needs. */
interface OpenPdf {
  numPages: number;
  getPage(number: number): Promise<{
    getTextContent(): Promise<{ items: object[] }>;
    cleanup(): unknown;
  }>;
}

/** The text of each page, in order; empty for a page that is a picture. A file of a few kilobytes may claim 10^9 pages. */
export async function* pdfPages(pdf: OpenPdf): AsyncGenerator<string, void, undefined> {
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    page.cleanup();
    yield items.map(pieceOf).join('').trim();
  }
}

/** A piece of a line. The marks of tagged PDFs are items without text. */
function pieceOf(item: { str?: string; hasEOL?: boolean }): string {
  return (item.str ?? '') + (item.hasEOL ? '\n' : '');
}
