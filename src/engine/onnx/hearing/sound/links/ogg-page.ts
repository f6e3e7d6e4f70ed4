import { checksum } from './checksum.ts';

/** Bytes of a page's header before the sizes of its segments. */
const HEADER_BYTES = 27;
/** No page is longer. */
export const LONGEST_PAGE = HEADER_BYTES + 255 + 255 * 255;
/** Flags of pages: it begins in the middle of a packet; it is the first one of its stream. */
const [CONTINUED, FIRST] = [1, 2];
/** A packet goes on after a segment of this size. */
const FULL = 255;
const pageSum = checksum(0x04c1_1db7);
const NO_SUM = new Uint8Array(4);

/** A page of an Ogg file (RFC 3533). */
export interface Page {
  isFirst: boolean;
  serial: number;
  sequence: number;
  /** The first packet began in the page before. */
  isContinued: boolean;
  /** The last packet goes on in the next page. */
  isOpen: boolean;
  hasRightSum: boolean;
  bytes: Uint8Array<ArrayBuffer>;
  /** What its segments hold. */
  content: Uint8Array<ArrayBuffer>;
}

/** The page at the beginning of these bytes, if it is whole. */
export function oggPage(all: Uint8Array<ArrayBuffer>): Page | undefined {
  if (!isPage(all) || all.length < HEADER_BYTES) return undefined;
  const from = HEADER_BYTES + (all[HEADER_BYTES - 1] ?? 0);
  const sizes = all.subarray(HEADER_BYTES, from);
  const bytes = all.subarray(0, from + sizes.reduce((sum, size) => sum + size, 0));
  if (all.length < from || all.length < bytes.length) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const flags = bytes[5] ?? 0;
  const sum = pageSum(bytes.subarray(26), pageSum(NO_SUM, pageSum(bytes.subarray(0, 22))));
  return {
    isFirst: (flags & FIRST) !== 0,
    serial: view.getUint32(14, true),
    sequence: view.getUint32(18, true),
    isContinued: (flags & CONTINUED) !== 0,
    isOpen: sizes.at(-1) === FULL,
    hasRightSum: sum === view.getUint32(22, true),
    bytes,
    content: bytes.subarray(from),
  };
}

export function isPage(bytes: Uint8Array): boolean {
  return bytes[0] === 0x4f && bytes[1] === 0x67 && bytes[2] === 0x67 && bytes[3] === 0x53;
}

/** A page without the part of a packet that it begins or ends with. Its sum is wrong. @returns undefined if it is all */
export function withoutParts(page: Page, cut: 'start' | 'end'): Page | undefined {
  const sizes = [...page.bytes.subarray(HEADER_BYTES, page.bytes.length - page.content.length)];
  const first = cut === 'start' ? sizes.findIndex((size) => size < FULL) + 1 : 0;
  const last = cut === 'end' ? sizes.findLastIndex((size) => size < FULL) : sizes.length - 1;
  if ((cut === 'start' && first === 0) || last < first) return undefined;
  const sumOf = (values: readonly number[]) => values.reduce((sum, size) => sum + size, 0);
  const [kept, skipped] = [sizes.slice(first, last + 1), sumOf(sizes.slice(0, first))];
  const content = page.content.slice(skipped, skipped + sumOf(kept));
  const bytes = new Uint8Array([...page.bytes.subarray(0, HEADER_BYTES), ...kept, ...content]);
  bytes[HEADER_BYTES - 1] = kept.length;
  if (cut === 'start') bytes[5] = (bytes[5] ?? 0) & ~CONTINUED;
  return { ...page, bytes, content };
}
