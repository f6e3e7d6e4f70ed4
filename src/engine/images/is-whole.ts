import { imageType, type ImageType } from '../../core/files/images/image-file.ts';
import {
  gifBlocksEnd,
  gifColours,
  gifFrame,
  JPEG_SCAN,
  jpegSegments,
} from '../../core/files/images/image-parts.ts';

const CHECKS: Record<ImageType, (view: DataView, file: Uint8Array) => boolean> = {
  png: hasPngEnd,
  jpeg: hasJpegEnd,
  webp: (view) => view.byteLength >= view.getUint32(4, true) + 8,
  gif: hasGifFrame,
};

/**
 * Whether an image file reaches to the end of its first frame. Firefox and WebKit decode a file that was cut, and leave
 * the missing part white; Chromium does not decode it.
 */
export function isWhole(file: Uint8Array): boolean {
  const type = imageType(file);
  if (!type) return false;
  try {
    return CHECKS[type](new DataView(file.buffer, file.byteOffset, file.byteLength), file);
  } catch (error) {
    // The file ends within one of its parts.
    if (error instanceof RangeError) return false;
    throw error;
  }
}

const IEND = 0x49454e44;

function hasPngEnd(view: DataView): boolean {
  let at = 8;
  // A chunk has its length, its type and a checksum.
  while (view.getUint32(at + 4) !== IEND) at += 12 + view.getUint32(at);
  return true;
}

/** Looks for an end mark after the pixels begin: a thumbnail has its own before them, and cameras append data. */
function hasJpegEnd(view: DataView, file: Uint8Array): boolean {
  const scan = [...jpegSegments(view)].find(({ marker }) => marker === JPEG_SCAN);
  if (!scan) return false;
  for (let at = file.length; at > scan.at;) {
    at = file.lastIndexOf(0xd9, at - 1);
    if (at > scan.at && file[at - 1] === 0xff) return true;
  }
  return false;
}

function hasGifFrame(view: DataView): boolean {
  const at = gifFrame(view);
  if (at === undefined) return false;
  // The frame's header and its colours are followed by one byte, the decoder's code size.
  gifBlocksEnd(view, at + 10 + gifColours(view, at + 9) + 1);
  return true;
}
