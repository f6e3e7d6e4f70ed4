export interface ImageSize {
  width: number;
  height: number;
}

/** Types of image files that models can be shown. */
export type ImageType = 'png' | 'jpeg' | 'webp' | 'gif';

const BEGINNINGS: [ImageType, RegExp][] = [
  ['png', /^\x89PNG\r\n/],
  ['jpeg', /^\xFF\xD8\xFF/],
  ['webp', /^RIFF[^]{4}WEBP/],
  ['gif', /^GIF8[79]a/],
];

/** The type of an image file by its first bytes; undefined: another type. */
export function imageType(file: Uint8Array): ImageType | undefined {
  const beginning = String.fromCharCode(...file.subarray(0, 12));
  return BEGINNINGS.find(([, pattern]) => pattern.test(beginning))?.[0];
}
