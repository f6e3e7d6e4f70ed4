import type { Slot } from './call-format.ts';

/**
 * Texts in which marks stand for what differs from call to call. The characters are of Unicode's private use area.
 */
const ID = '\ue000';
const INDEX = '\ue001';
export const NAME = '\ue002';

/** Marks the ids of calls in a text. */
export function withIds(text: string, ids: readonly string[]): string {
  return ids.reduce((marked, id) => marked.replaceAll(id, ID), text);
}

/** The slots of a text with marks. */
export function slotsOf(text: string, first: number): Slot[] {
  const parts = text.split(/([\ue000-\ue002])/).filter((part) => part !== '');
  return parts.map((part) => slotOf(part, first));
}

function slotOf(part: string, first: number): Slot {
  switch (part) {
    case NAME:
      return { is: 'name' };
    case ID:
      return { is: 'id' };
    case INDEX:
      return { is: 'index', first };
    default:
      return part;
  }
}

/** A digit at the same place in two calls that counts them is a place for the call's index. */
interface Common {
  text: string;
  /** The index of the first call; undefined: the text has none. */
  first: number | undefined;
}

/**
 * What two texts begin with alike.
 *
 * @param one - of the first call; digits in `other` may be one more
 */
export function commonBeginning(one: string, other: string): Common {
  let at = 0;
  let text = '';
  let first: number | undefined;
  for (; at < one.length && at < other.length; at++) {
    const [a, b] = [one.charAt(at), other.charAt(at)];
    if (a !== b && !isCounted(a, b)) break;
    if (a !== b) first = Number(a);
    text += a === b ? a : INDEX;
  }
  return { text, first };
}

/** What two texts end with alike; see `commonBeginning`. */
export function commonEnd(one: string, other: string): Common {
  const { text, first } = commonBeginning(reversed(one), reversed(other));
  return { text: reversed(text), first };
}

function reversed(text: string): string {
  return text.split('').reverse().join('');
}

function isCounted(a: string, b: string): boolean {
  return /[0-8]/.test(a) && Number(a) + 1 === Number(b);
}

/**
 * The end of a text, from the beginning of a mark on. White space, closing brackets, and the rest of a mark that begins
 * earlier belong to what comes before, unless the mark itself begins with one: `]<]minimax[>[<call>`.
 *
 * @param length - of the end
 */
export function fromOpening(text: string, length: number): string {
  const at = text.length - length;
  const isWithinMark = /<[^<>\s]*$/.test(text.slice(0, at));
  const end = text.slice(at).replace(isWithinMark ? /^[^<>\s]*>/ : /^(?!)/, '');
  return end.replace(/^(?:[\s>)}"',]|\](?!<\]))+/, '');
}

/** Without the beginning of a mark at its end. */
export function toWholeMark(text: string): string {
  return text.replace(/[<[][^<>[\]\s]*$/, '');
}

/**
 * The beginning of `text`, up to where it goes on as `after` does, or as a part of it does from the beginning of a mark:
 * what ends a turn is the same after a call and after a text.
 */
export function upToTurnEnd(text: string, after: string): string {
  let best = { length: 2, at: text.length };
  for (let at = 0; at < text.length; at++) {
    if (!isBeginning(text, at)) continue;
    for (let from = 0; from < after.length; from++) {
      if (!isBeginning(after, from)) continue;
      const { length } = commonBeginning(text.slice(at), after.slice(from)).text;
      if (length > best.length) best = { length, at };
    }
  }
  return text.slice(0, best.at);
}

/** Whether a mark may begin here. */
function isBeginning(text: string, at: number): boolean {
  return at === 0 || /[<[]/.test(text.charAt(at)) || /[>\]]\s*$/.test(text.slice(0, at));
}
