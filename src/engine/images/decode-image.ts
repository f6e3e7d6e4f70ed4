import type { ImageSize } from '../../core/files/images/image-file.ts';
import { imageSize } from '../../core/files/images/image-size.ts';
import { invalidImage, unsupportedValue } from '../../core/errors/errors.ts';
import type { PromptImage } from '../../core/operations/jobs/jobs.ts';
import { isWhole } from './is-whole.ts';
import { sizeWithin, type LargestImage } from './largest-image.ts';
import { smallerPhoto, undecodable, wholePicture } from './picture.ts';

/** An image as models take it. */
export interface DecodedImage extends ImageSize {
  /** Three bytes a pixel, row by row from the top, in sRGB. */
  rgb: Uint8Array<ArrayBuffer>;
}

export type DecodeImage = (image: PromptImage, largest: LargestImage) => Promise<DecodedImage>;

/** Most pixels of an image: decoded, it takes 256 MiB. No phone's camera takes larger photos by default. */
export const MAX_PIXELS = 2 ** 26;

/** How many times as long as wide an image may be. Scaled down for a model, a thinner one would have no pixels. */
const MAX_RATIO = 64;

/**
 * Decodes an image file: turned as its EXIF data say, on white where it is transparent, only the first frame of an
 * animation. An image that is larger than `largest` is scaled down; its proportions stay.
 *
 * @throws ApiError 400 invalid_image for a file that isn't an image, was cut, is thinner than MAX_RATIO or has more
 *   than MAX_PIXELS, 400 unsupported_value where the browser has no canvas in workers
 */
export async function decodeImage(
  { file, field }: Pick<PromptImage, 'file' | 'field'>,
  largest: LargestImage = {},
): Promise<DecodedImage> {
  const stated = imageSize(file);
  if (!stated) throw undecodable(field);
  const { width, height } = stated;
  const size = `${width} × ${height} pixels`;
  if (width * height > MAX_PIXELS) {
    throw invalidImage(field, `has ${size}; at most ${MAX_PIXELS} are decoded.`);
  }
  if (Math.max(width, height) > MAX_RATIO * Math.min(width, height)) {
    throw invalidImage(field, `has ${size}: at most ${MAX_RATIO} times as long as wide is read.`);
  }
  if (typeof OffscreenCanvas === 'undefined') throw noCanvas(field);
  if (!isWhole(file)) throw undecodable(field);
  const picture = (await smallerPhoto(file, stated, largest)) ?? (await wholePicture(file, field));
  try {
    const seen = sizeWithin(picture, largest);
    return { ...seen, rgb: withoutAlpha(draw(picture.source, seen, field)) };
  } finally {
    picture.source.close();
  }
}

function draw(source: CanvasImageSource, { width, height }: ImageSize, field: string) {
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
  if (!context) throw noCanvas(field);
  context.fillStyle = 'white';
  context.fillRect(0, 0, width, height);
  context.imageSmoothingQuality = 'high';
  context.drawImage(source, 0, 0, width, height);
  return context.getImageData(0, 0, width, height).data;
}

/** @param rgba - of opaque pixels */
function withoutAlpha(rgba: Uint8ClampedArray): Uint8Array<ArrayBuffer> {
  const rgb = new Uint8Array((rgba.length / 4) * 3);
  for (let from = 0, to = 0; from < rgba.length; from += 4) {
    rgb[to++] = rgba[from] ?? 0;
    rgb[to++] = rgba[from + 1] ?? 0;
    rgb[to++] = rgba[from + 2] ?? 0;
  }
  return rgb;
}

function noCanvas(field: string) {
  return unsupportedValue('This browser cannot decode images: it has no OffscreenCanvas.', field);
}
