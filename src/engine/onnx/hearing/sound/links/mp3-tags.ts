/** How tags in MP3 files begin: ID3v2, ID3v1, APE, Lyrics3. */
const BEGINNINGS = ['ID3', 'TAG', 'APETAGEX', 'LYRICSBEGIN'];
/** Bytes of the headers of ID3v2 and APE tags. */
const [ID3_HEADER, APE_HEADER] = [10, 32];
/** Flag of ID3v2: a copy of the header is at the tag's end. */
const HAS_FOOTER = 0x10;

export function isTag(bytes: Uint8Array): boolean {
  return BEGINNINGS.some((text) => beginsWith(bytes, text));
}

/** How many bytes the ID3v2 or APE tag at the beginning says that it has. If there is no tag, 0. */
export function tagBytes(bytes: Uint8Array): number {
  if (beginsWith(bytes, 'ID3') && bytes.length >= ID3_HEADER) {
    // Seven bits of each byte count.
    const size = bytes.subarray(6, 10).reduce((sum, byte) => (sum << 7) | (byte & 127), 0);
    return size + ((bytes[5] ?? 0) & HAS_FOOTER ? 2 : 1) * ID3_HEADER;
  }
  if (beginsWith(bytes, 'APETAGEX') && bytes.length >= APE_HEADER) {
    return APE_HEADER + new DataView(bytes.buffer, bytes.byteOffset).getUint32(12, true);
  }
  return 0;
}

function beginsWith(bytes: Uint8Array, text: string): boolean {
  for (let at = 0; at < text.length; at++) if (bytes[at] !== text.charCodeAt(at)) return false;
  return true;
}
