/// <reference lib="webworker" />
/** What engines do with images, in a worker as theirs. It takes an `ImageRequest` and posts an `ImageAnswer`. */
import { decodeImage } from '../../../src/engine/images/decode-image.ts';
import type { LargestImage } from '../../../src/engine/images/largest-image.ts';
import { toErrorData } from '../../../src/core/errors/errors.ts';

export interface ImageRequest {
  /** In base64; undefined: a photo of 12 megapixels. */
  file?: string;
  /** The photo's EXIF orientation; default: upright. */
  orientation?: number;
  /** The photo's file ends in its middle. */
  isCut?: boolean;
  largest?: LargestImage;
  /** Only this pixel is wanted; parts of the width and height, 0 to 1. */
  place?: [x: number, y: number];
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

/** Pixels. */
const EDGE = 160;

declare const self: DedicatedWorkerGlobalScope;

self.onmessage = async ({ data }: MessageEvent<ImageRequest>) => {
  self.postMessage(await answer(data));
};

async function answer({ file, largest, place, ...asked }: ImageRequest): Promise<ImageAnswer> {
  const bytes =
    file === undefined
      ? await photo(asked)
      : Uint8Array.from(atob(file), (char) => char.charCodeAt(0));
  try {
    const { width, height, rgb } = await decodeImage({ file: bytes, field: 'here' }, largest);
    if (!place) return { width, height, rgb: [...rgb] };
    const column = Math.round(place[0] * (width - 1));
    const at = (Math.round(place[1] * (height - 1)) * width + column) * 3;
    return { width, height, rgb: [...rgb.slice(at, at + 3)] };
  } catch (error) {
    const { code, param, message } = toErrorData(error);
    return { code, param, message };
  }
}

/** A red edge on the left, then lines that are one pixel wide: scaled down well, they are grey. */
async function photo({ orientation, isCut }: Partial<ImageRequest>): Promise<Uint8Array> {
  const canvas = new OffscreenCanvas(4000, 3000);
  const context = canvas.getContext('2d');
  if (!context) throw new Error('There is no canvas.');
  context.fillStyle = 'white';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = 'black';
  for (let x = 0; x < canvas.width; x += 2) context.fillRect(x, 0, 1, canvas.height);
  context.fillStyle = 'red';
  context.fillRect(0, 0, EDGE, canvas.height);
  const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.95 });
  const file = orientation === undefined ? blob : withOrientation(blob, orientation);
  return new Uint8Array(await (isCut ? file.slice(0, file.size / 2) : file).arrayBuffer());
}

/** A JPEG file with this field alone in its EXIF data. */
function withOrientation(jpeg: Blob, orientation: number): Blob {
  const entry = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0];
  const tiff = [...[0x4d, 0x4d, 0, 0x2a], ...[0, 0, 0, 8], ...[0, 1], ...entry, ...[0, 0, 0, 0]];
  const exif = [...[0x45, 0x78, 0x69, 0x66, 0, 0], ...tiff];
  const segment = Uint8Array.from([0xff, 0xe1, 0, exif.length + 2, ...exif]);
  return new Blob([jpeg.slice(0, 2), segment, jpeg.slice(2)]);
}
