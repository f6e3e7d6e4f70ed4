import { imageType, type ImageSize, type ImageType } from './image-file.ts';

const READERS: Record<ImageType, (view: DataView) => ImageSize | undefined> = {
  png: (view) => ({ width: view.getUint32(16), height: view.getUint32(20) }),
  jpeg: jpegSize,
  webp: webpSize,
  gif: gifSize,
};

/**
 * Pixels of an image file as its header states them, before any rotation; undefined: it has no such
 * header. Nothing is decoded, so a small file that becomes a huge image can be refused.
 */
export function imageSize(file: Uint8Array): ImageSize | undefined {
  const type = imageType(file);
  if (!type) return undefined;
  try {
    const size = READERS[type](new DataView(file.buffer, file.byteOffset, file.byteLength));
    return size && size.width > 0 && size.height > 0 ? size : undefined;
  } catch (error) {
    // The file ends before its header does.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Markers with the size: all kinds of frames, without the tables whose numbers are between theirs. */
const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
/** Markers without a segment. */
const isAlone = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
const END = 0xd9;
const SCAN = 0xda;

function jpegSize(view: DataView): ImageSize | undefined {
  for (let at = 2; ;) {
    // As decoders do: bytes that belong to nothing are skipped, and a marker may have fill bytes.
    while (view.getUint8(at) !== 0xff) at++;
    while (view.getUint8(at) === 0xff) at++;
    const marker = view.getUint8(at++);
    if (isFrame(marker)) return { width: view.getUint16(at + 5), height: view.getUint16(at + 3) };
    if (marker === END || marker === SCAN) return undefined;
    if (marker !== 0 && !isAlone(marker)) at += view.getUint16(at);
  }
}

const VP8 = 0x56503820;
const VP8L = 0x5650384c;
const VP8X = 0x56503858;

function webpSize(view: DataView): ImageSize | undefined {
  switch (view.getUint32(12)) {
    case VP8:
      return {
        width: view.getUint16(26, true) & 0x3fff,
        height: view.getUint16(28, true) & 0x3fff,
      };
    case VP8L: {
      const bits = view.getUint32(21, true);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case VP8X: {
      const threeBytes = (at: number) => view.getUint32(at, true) & 0xffffff;
      return { width: threeBytes(24) + 1, height: (view.getUint32(26, true) >>> 8) + 1 };
    }
    default:
      return undefined;
  }
}

const GIF_IMAGE = 0x2c;
const GIF_EXTENSION = 0x21;

/** Of the screen, or of the first frame where that is larger: browsers then enlarge the screen. */
function gifSize(view: DataView): ImageSize | undefined {
  const word = (at: number) => view.getUint16(at, true);
  const flags = view.getUint8(10);
  let at = 13 + (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0);
  while (view.getUint8(at) === GIF_EXTENSION) {
    at += 2;
    while (view.getUint8(at) !== 0) at += view.getUint8(at) + 1;
    at++;
  }
  if (view.getUint8(at) !== GIF_IMAGE) return undefined;
  return {
    width: Math.max(word(6), word(at + 1) + word(at + 5)),
    height: Math.max(word(8), word(at + 3) + word(at + 7)),
  };
}
