/// <reference lib="webworker" />
/** What engines do with images, in a worker as theirs. It takes an `ImageRequest` and posts an `ImageAnswer`. */
import { decodeImage, type LargestImage } from '../../../src/engine/images/decode-image.ts';
import { toErrorData } from '../../../src/core/protocol/errors.ts';

export interface ImageRequest {
  /** In base64; undefined: a photo of 12 megapixels. */
  file?: string;
  largest?: LargestImage;
}

export interface ImageAnswer {
  width?: number;
  height?: number;
  /** Red, green and blue of each pixel. */
  rgb?: number[];
  code?: string | null;
  param?: string | null;
  message?: string;
}

declare const self: DedicatedWorkerGlobalScope;

self.onmessage = async ({ data }: MessageEvent<ImageRequest>) => {
  self.postMessage(await answer(data));
};

async function answer({ file, largest }: ImageRequest): Promise<ImageAnswer> {
  const bytes =
    file === undefined ? await photo() : Uint8Array.from(atob(file), (char) => char.charCodeAt(0));
  try {
    const { width, height, rgb } = await decodeImage({ file: bytes, field: 'here' }, largest);
    return { width, height, rgb: [...rgb] };
  } catch (error) {
    const { code, param, message } = toErrorData(error);
    return { code, param, message };
  }
}

/** Lines that are one pixel wide: scaled down well, they are grey. */
async function photo(): Promise<Uint8Array> {
  const canvas = new OffscreenCanvas(4000, 3000);
  const context = canvas.getContext('2d');
  if (!context) throw new Error('There is no canvas.');
  context.fillStyle = 'white';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = 'black';
  for (let x = 0; x < canvas.width; x += 2) context.fillRect(x, 0, 1, canvas.height);
  const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.95 });
  return new Uint8Array(await blob.arrayBuffer());
}
