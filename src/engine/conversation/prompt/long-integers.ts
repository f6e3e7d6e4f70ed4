import { withoutBigints } from '../../../core/text/exact-json.ts';

/** Stands around the digits of an integer that no double holds. It is no character of any text. */
const MARK = '\uFDD1';
const MARKED = new RegExp(`"?${MARK}(-?\\d+)${MARK}"?`, 'g');

/** A value for a chat template, whose language has doubles only: long integers are texts with marks. */
export function withMarkedIntegers(value: unknown): unknown {
  return withoutBigints(value, (integer) => `${MARK}${integer}${MARK}`);
}

/** What a template has written, with the digits of long integers where the marks were. */
export function withoutMarks(rendered: string): string {
  return rendered.includes(MARK) ? rendered.replaceAll(MARKED, '$1') : rendered;
}
