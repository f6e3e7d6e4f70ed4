/** The PDF worker's answer, sent to the port that arrived with the file's bytes. */
export type PdfAnswer = { text: string } | { fault: 'password' | 'broken' };
