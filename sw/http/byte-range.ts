/** First and last byte, both included. */
export interface ByteRange {
  first: number;
  last: number;
}

/**
 * The part of a file that a Range header asks for: a single range of bytes, as in RFC 9110. Other
 * headers are ignored, as the RFC allows.
 */
export function byteRange(
  header: string | null,
  length: number,
): ByteRange | 'whole' | 'unsatisfiable' {
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '') ?? [];
  if (from === undefined || to === undefined || from + to === '') return 'whole';
  if (from !== '' && to !== '' && Number(to) < Number(from)) return 'whole';
  const first = from === '' ? Math.max(0, length - Number(to)) : Number(from);
  const last = from === '' || to === '' ? length - 1 : Math.min(Number(to), length - 1);
  return first <= last ? { first, last } : 'unsatisfiable';
}

/** Whether all of the file is asked for. Players begin with that, except Safari, which asks for two bytes. */
export function isFromStart(header: string | null): boolean {
  return header === null || header.trim() === 'bytes=0-';
}
