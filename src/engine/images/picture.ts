import { imageType, type ImageSize } from '../../core/files/images/image-file.ts';
import { invalidImage, type ApiError } from '../../core/errors/errors.ts';
import { sizeWithin, type LargestImage } from './largest-image.ts';

/** A decoded image file. Width and height are those of the file, turned as its EXIF data say. */
export interface Picture extends ImageSize {
  source: ImageBitmap | VideoFrame;
}

/** @throws ApiError 400 invalid_image */
export async function wholePicture(file: Uint8Array, field: string): Promise<Picture> {
  try {
    const blob = new Blob([new Uint8Array(file)], { type: `image/${imageType(file)}` });
    const source = await createImageBitmap(blob, { imageOrientation: 'from-image' });
    return { source, width: source.width, height: source.height };
  } catch {
    throw undecodable(field);
  }
}

/** JPEG decoders can scale to n eighths of the width and height, which takes less time. */
const EIGHTHS = 8;

/**
 * Decodes a photo no larger than needed, which takes less time and memory.
 *
 * @param stated - the size in the file's header
 * @returns undefined if that is not possible; the file may still be a good image
 */
export async function smallerPhoto(
  file: Uint8Array,
  stated: ImageSize,
  largest: LargestImage,
): Promise<Picture | undefined> {
  if (imageType(file) !== 'jpeg' || !turnsFrames()) return undefined;
  const eighths = Math.ceil((EIGHTHS * sizeWithin(stated, largest).width) / stated.width);
  if (eighths >= EIGHTHS) return undefined;
  const scaled = (length: number) => Math.ceil((length * eighths) / EIGHTHS);
  const decoder = new ImageDecoder({
    data: file,
    type: 'image/jpeg',
    desiredWidth: scaled(stated.width),
    desiredHeight: scaled(stated.height),
  });
  try {
    const { image: source } = await decoder.decode();
    return { source, ...turnedLike(source, stated) };
  } catch {
    return undefined;
  } finally {
    decoder.close();
  }
}

/** Whether decoders turn frames as the EXIF data say. Firefox's don't. */
function turnsFrames(): boolean {
  return typeof ImageDecoder !== 'undefined' && 'rotation' in VideoFrame.prototype;
}

function turnedLike(
  { displayWidth, displayHeight }: VideoFrame,
  { width, height }: ImageSize,
): ImageSize {
  const isTurned = displayWidth > displayHeight !== width > height;
  return isTurned ? { width: height, height: width } : { width, height };
}

export function undecodable(field: string): ApiError {
  return invalidImage(field, 'is not a PNG, JPEG, WebP or GIF file that can be decoded.');
}
