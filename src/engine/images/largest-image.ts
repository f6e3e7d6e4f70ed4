import type { ImageSize } from '../../core/files/images/image-file.ts';

/** The largest image that a model takes; undefined: no limit. */
export interface LargestImage {
  /** Width × height. */
  pixels?: number;
  /** Limit of width and of height. */
  side?: number;
  /** Limit of the shorter one of width and height. */
  shorterSide?: number;
}

/** The size of an image that is scaled down until it fits. */
export function sizeWithin(
  { width, height }: ImageSize,
  { pixels, side, shorterSide }: LargestImage,
): ImageSize {
  const scale = Math.min(
    1,
    Math.sqrt((pixels ?? Infinity) / (width * height)),
    (side ?? Infinity) / Math.max(width, height),
    (shorterSide ?? Infinity) / Math.min(width, height),
  );
  const scaled = (length: number) => Math.max(1, Math.floor(length * scale));
  return { width: scaled(width), height: scaled(height) };
}
