/** What the PDF worker answers to the bytes of a file, at the port that came with them. */
export type PdfAnswer = { text: string } | { fault: 'password' | 'broken' };
