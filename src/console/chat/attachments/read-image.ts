import { fill } from '../../messages/fill.ts';
import { messages } from '../../messages/messages.ts';
import type { ImageAttachment } from './attachment.ts';
import { messageOf } from '../../../core/text/message-of.ts';

/** Longest edge of a picture that is sent, pixels. Models that see scale down to less than that. */
export const LONGEST_EDGE = 1536;
/** A file of at most this size whose edges need no scaling is sent unchanged, bytes. */
const MOST_BYTES = 1_000_000;
/** Image types that the API reads. */
const TYPES = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif']);
const JPEG_QUALITY = 0.9;

/**
 * Reads a picture in any format that the browser knows. A large one is scaled down.
 *
 * @throws Error with a message for the user if the file is not a picture
 */
export async function readImage(file: File): Promise<ImageAttachment> {
  const bitmap = await decoded(file);
  try {
    const { width, height } = bitmap;
    const scale = Math.min(1, LONGEST_EDGE / Math.max(width, height));
    const isKept = scale === 1 && file.size <= MOST_BYTES && TYPES.has(file.type);
    const image = isKept ? file : await scaled(bitmap, scale);
    const url = await dataUrl(image);
    return { kind: 'image', id: crypto.randomUUID(), name: file.name, url };
  } finally {
    bitmap.close();
  }
}

async function decoded(file: File): Promise<ImageBitmap> {
  try {
    return await createImageBitmap(file);
  } catch (error) {
    throw new Error(fill(messages.value.attachments.notPicture, { name: file.name }), {
      cause: error,
    });
  }
}

/** Scales a picture to a JPEG, in which transparent pixels become white. */
async function scaled(bitmap: ImageBitmap, scale: number): Promise<Blob> {
  const [width, height] = [bitmap.width, bitmap.height].map((edge) =>
    Math.max(1, Math.round(edge * scale)),
  );
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  const context = canvas.getContext('2d');
  if (!context) throw new Error(messages.value.attachments.cannotScale);
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  const { promise, resolve } = Promise.withResolvers<Blob | null>();
  canvas.toBlob(resolve, 'image/jpeg', JPEG_QUALITY);
  const blob = await promise;
  if (!blob) throw new Error(messages.value.attachments.cannotScale);
  return blob;
}

async function dataUrl(blob: Blob): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const reader = new FileReader();
  reader.addEventListener('load', () =>
    resolve(typeof reader.result === 'string' ? reader.result : ''),
  );
  reader.addEventListener('error', () => reject(new Error(messageOf(reader.error))));
  reader.readAsDataURL(blob);
  return promise;
}
