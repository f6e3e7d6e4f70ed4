/** The text of a PDF, with an empty line between its pages. */
export async function pdfText(data) {
  // Most visitors have no PDFs, and the reader is large: it is fetched with the first one.
  const { getDocument } = await import('./pdfjs.js');
  const pdf = await getDocument({ data, isEvalSupported: false, verbosity: 0 }).promise;
  const pages = [];
  for (let number = 1; number <= pdf.numPages; number++) {
    const { items } = await (await pdf.getPage(number)).getTextContent();
    pages.push(items.map(({ str = '', hasEOL }) => (hasEOL ? `${str}\n` : str)).join(''));
  }
  return pages.join('\n\n');
}
