import { fill } from '../../messages/fill.ts';
import { messages } from '../../messages/messages.ts';

/**
 * The text of a PDF; empty if it has none, because its pages are pictures.
 *
 * @param signal - cancels it
 * @param onPages - called as pages are read
 * @throws Error with a message for the user; the signal's reason
 */
export async function readPdf(
  file: File,
  signal: AbortSignal,
  onPages: (pages: ReadPages) => void,
): Promise<string> {
  const text = messages.value.attachments;
  const bytes = await file.arrayBuffer();
  const { port1, port2 } = new MessageChannel();
  // The reader is half a megabyte, so it is fetched only for a PDF. Each PDF has its own worker.
  const worker = new Worker(new URL('./pdf-worker.ts', import.meta.url), { type: 'module' });
  try {
    signal.throwIfAborted();
    const { promise, resolve, reject } =
      Promise.withResolvers<Exclude<PdfAnswer, { pages: unknown }>>();
    port1.onmessage = ({ data }: MessageEvent<PdfAnswer>) =>
      'pages' in data ? onPages(data.pages) : resolve(data);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    worker.addEventListener('error', () => reject(new Error(text.noReader)));
    worker.postMessage(bytes, [bytes, port2]);
    const answer = await promise;
    if ('text' in answer) return answer.text;
    switch (answer.fault) {
      case 'password':
        throw new Error(fill(text.password, { name: file.name }));
      case 'broken':
        throw new Error(fill(text.notPdf, { name: file.name }));
      case 'long':
        throw new Error(fill(text.tooLarge, { name: file.name }));
    }
  } finally {
    port1.close();
    worker.terminate();
  }
}

/** How much of a PDF has been read. */
export interface ReadPages {
  read: number;
  all: number;
}

/** What the worker that reads a PDF says: first how far it is, then the text, or why it could not be read. */
export type PdfAnswer =
  { pages: ReadPages } | { text: string } | { fault: 'password' | 'broken' | 'long' };
