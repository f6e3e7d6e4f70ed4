/** Finds the parts of image files. Each function throws a RangeError if the file ends before the part does. */

/** Markers without a segment. */
const isAlone = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
const END = 0xd9;
/** The marker before the pixels. */
export const JPEG_SCAN = 0xda;

/** The segments before a JPEG's pixels, and the segment of the pixels. `at`: offset after the marker. */
export function* jpegSegments(view: DataView): Generator<{ marker: number; at: number }> {
  for (let at = 2; ;) {
    // Like decoders, we skip bytes that belong to nothing, and fill bytes of a marker.
    while (view.getUint8(at) !== 0xff) at++;
    while (view.getUint8(at) === 0xff) at++;
    const marker = view.getUint8(at++);
    if (marker === END) return;
    if (marker === 0 || isAlone(marker)) continue;
    yield { marker, at };
    if (marker === JPEG_SCAN) return;
    at += view.getUint16(at);
  }
}

const GIF_IMAGE = 0x2c;
const GIF_EXTENSION = 0x21;

/** Offset of a GIF's first frame; undefined: the file has none. */
export function gifFrame(view: DataView): number | undefined {
  let at = 13 + gifColours(view, 10);
  while (view.getUint8(at) === GIF_EXTENSION) at = gifBlocksEnd(view, at + 2);
  return view.getUint8(at) === GIF_IMAGE ? at : undefined;
}

/** Size of a table of colours whose flags are at this offset, bytes. */
export function gifColours(view: DataView, at: number): number {
  const flags = view.getUint8(at);
  return flags & 0x80 ? 3 << ((flags & 7) + 1) : 0;
}

/** Offset of the end of a list of a GIF's blocks. */
export function gifBlocksEnd(view: DataView, first: number): number {
  let at = first;
  while (view.getUint8(at) !== 0) at += view.getUint8(at) + 1;
  return at + 1;
}
