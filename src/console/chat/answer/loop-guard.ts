/**
 * The end of a text is a loop if it repeats itself over `length` characters, with at most `period` characters each time.
 * Short phrases are noticed earlier than paragraphs and verses.
 */
const LOOPS = [
  { length: 480, period: 40 },
  { length: 1200, period: 240 },
  { length: 2400, period: 600 },
];

const LONGEST = Math.max(...LOOPS.map(({ length }) => length));
/** Characters between two looks. */
const STEP = 64;

/** Notices that a model repeats itself without end, as small models do when they lose the thread. */
export class LoopGuard {
  #end = '';
  #unseen = 0;

  /** Adds the next piece of the text. Returns whether its end is a loop. */
  add(piece: string): boolean {
    this.#end = (this.#end + piece).slice(-LONGEST);
    this.#unseen += piece.length;
    if (this.#unseen < STEP) return false;
    this.#unseen = 0;
    return isLoop(this.#end);
  }
}

function isLoop(text: string): boolean {
  return LOOPS.some(({ length, period }) => {
    const end = text.slice(-length);
    // Lines of dashes and empty tables are meant to repeat.
    return end.length === length && /\p{L}/u.test(end) && periodOf(end) <= period;
  });
}

/** The smallest distance at which a text equals itself, by the failure function of Knuth, Morris and Pratt. */
function periodOf(text: string): number {
  const borders = [0];
  for (let at = 1, border = 0; at < text.length; at++) {
    while (border > 0 && text[at] !== text[border]) border = borders[border - 1] ?? 0;
    if (text[at] === text[border]) border++;
    borders.push(border);
  }
  return text.length - (borders.at(-1) ?? 0);
}
