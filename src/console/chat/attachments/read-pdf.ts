import { fill } from '../../messages/fill.ts';
import { messages } from '../../messages/messages.ts';
import type { PdfAnswer } from './pdf-messages.ts';

/**
 * The text of a PDF; empty if it has none, because its pages are pictures.
 *
 * @throws Error with a message for the user
 */
export async function readPdf(file: File): Promise<string> {
  const text = messages.value.attachments;
  const bytes = await file.arrayBuffer();
  // The reader is half a megabyte, so it is fetched only for a PDF. Each PDF has its own worker.
  const worker = new Worker(new URL('./pdf-worker.ts', import.meta.url), { type: 'module' });
  try {
    const { promise, resolve, reject } = Promise.withResolvers<PdfAnswer>();
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }: MessageEvent<PdfAnswer>) => resolve(data);
    worker.addEventListener('error', () => reject(new Error(text.noReader)));
    worker.postMessage(bytes, [bytes, port2]);
    const answer = await promise;
    if ('text' in answer) return answer.text;
    throw new Error(
      answer.fault === 'password'
        ? fill(text.password, { name: file.name })
        : fill(text.notPdf, { name: file.name }),
    );
  } finally {
    worker.terminate();
  }
}
