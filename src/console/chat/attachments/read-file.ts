import { fill } from '../../messages/fill.ts';
import { messages } from '../../messages/messages.ts';
import type { Attachment } from './attachment.ts';
import { readImage } from './read-image.ts';
import { readPdf, type ReadPages } from './read-pdf.ts';

/** No model's context holds the text of a larger file, bytes: it is stored and searched. */
const MOST_TEXT = 8_000_000;
/** Limit for a PDF, bytes. It is higher, because a PDF may have pictures, which are not read. */
const MOST_PDF = 200_000_000;

/** Whether the console reads a file itself. The API reads others, such as DOCX, when they are stored. */
export function isRead({ name, size, type }: File): boolean {
  if (type.startsWith('image/') || isPdf({ name, type })) return true;
  return size <= MOST_TEXT && !/\.docx$/i.test(name);
}

function isPdf({ name, type }: Pick<File, 'name' | 'type'>): boolean {
  return type === 'application/pdf' || /\.pdf$/i.test(name);
}

/**
 * Reads a picture, the text of a PDF, or any file that is text in UTF-8.
 *
 * @param signal - cancels reading a PDF
 * @param onPages - called as pages of a PDF are read
 * @throws Error with a message for the user; the signal's reason
 */
export async function readAttachment(
  file: File,
  signal: AbortSignal,
  onPages: (pages: ReadPages) => void,
): Promise<Attachment> {
  if (file.type.startsWith('image/')) return readImage(file);
  if (isPdf(file) && file.size > MOST_PDF)
    throw new Error(fill(messages.value.attachments.tooLarge, { name: file.name }));
  const text = isPdf(file) ? await readPdf(file, signal, onPages) : await readText(file);
  if (text.trim() === '')
    throw new Error(fill(messages.value.attachments.noText, { name: file.name }));
  return { kind: 'file', id: crypto.randomUUID(), name: file.name, text };
}

async function readText(file: File): Promise<string> {
  const text = decoded(await file.arrayBuffer());
  // A zero byte is in nearly every binary file and in no text.
  if (text === undefined || text.includes('\0')) {
    throw new Error(fill(messages.value.attachments.unknownKind, { name: file.name }));
  }
  return text;
}

function decoded(bytes: ArrayBuffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
