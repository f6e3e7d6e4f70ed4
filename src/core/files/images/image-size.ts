import { imageType, type ImageSize, type ImageType } from './image-file.ts';
import { gifFrame, jpegSegments } from './image-parts.ts';

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

/** Whether the marker begins a frame, which has the size. Three numbers between those of frames are tables. */
const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

function jpegSize(view: DataView): ImageSize | undefined {
  for (const { marker, at } of jpegSegments(view)) {
    if (isFrame(marker)) return { width: view.getUint16(at + 5), height: view.getUint16(at + 3) };
  }
  return undefined;
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

/** Size of the screen. If the first frame goes beyond it, browsers enlarge the screen, and so do we. */
function gifSize(view: DataView): ImageSize | undefined {
  const at = gifFrame(view);
  if (at === undefined) return undefined;
  const word = (place: number) => view.getUint16(place, true);
  return {
    width: Math.max(word(6), word(at + 1) + word(at + 5)),
    height: Math.max(word(8), word(at + 3) + word(at + 7)),
  };
}
