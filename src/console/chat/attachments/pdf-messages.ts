/** How much of a PDF has been read. */
export interface ReadPages {
  read: number;
  all: number;
}

/** What the worker that reads a PDF says: first how far it is, then the text, or why it could not be read. */
export type PdfAnswer =
  { pages: ReadPages } | { text: string } | { fault: 'password' | 'broken' | 'long' };
