import { TemplateTooLong } from './faults.ts';

/** What a rendering may take. */
export interface Limits {
  /** Nodes that are evaluated, and what operations on long values take beside them. */
  steps: number;
  /** Characters of each text that is made. */
  characters: number;
}

/** A native operation reads this many characters in the time of a step. */
const CHARACTERS = 64;
/** A native operation reads this many items in the time of a step. */
const ITEMS = 8;

/** What is left to the rendering that is under way. Renderings are synchronous, so there is never a second one. */
let left: Limits | undefined;

/** Does work that may take this much. @throws TemplateTooLong if it takes more */
export function withinLimits<T>(limits: Limits, work: () => T): T {
  left = { ...limits };
  try {
    return work();
  } finally {
    left = undefined;
  }
}

/** Takes steps. Every operation whose time grows with a value calls it, or one of those below, before it begins. */
export function takeSteps(count: number): void {
  if (!left) return;
  left.steps -= count;
  if (!(left.steps >= 0)) throw new TemplateTooLong('It takes too many steps.');
}

/** Takes what reading a text takes. */
export function takeText(length: number): void {
  if (length >= CHARACTERS) takeSteps(length / CHARACTERS);
}

/** Takes what reading the items of a list takes. */
export function takeItems(count: number): void {
  if (count >= ITEMS) takeSteps(count / ITEMS);
}

/** Checks the length of a text before it is made, if its length is known by then. */
export function checkLength(characters: number): void {
  if (left && !(characters <= left.characters)) throw new TemplateTooLong('Its text is too long.');
}
