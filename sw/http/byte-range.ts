/** First and last byte, both included. */
export interface ByteRange {
  first: number;
  last: number;
}

/**
 * What a Range header asks of a file whose length is known: a single range of bytes, as RFC 9110 has it.
 * Anything else that it may say is ignored, as the RFC allows.
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

/** All of the file: how every player asks first but Safari, which asks for two bytes. */
export function isFromStart(header: string | null): boolean {
  return header === null || header.trim() === 'bytes=0-';
}
