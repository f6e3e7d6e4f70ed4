/** Longer code is not coloured; characters. Each of its parts is an element of the page. */
export const MOST_COLOURED = 100_000;

/** Code is coloured in one piece up to this length; characters. highlight.js takes the square of it in some languages. */
export const LONGEST_SLICE = 5_000;

/**
 * Cuts long code at the ends of lines, best where a blank line comes before one that is not indented: comments and
 * texts of many lines rarely go on there. A line that is longer is cut, too.
 */
export function codeSlices(code: string): string[] {
  const slices: string[] = [];
  let rest = code;
  while (rest.length > LONGEST_SLICE) {
    const cut = placeToCut(rest);
    slices.push(rest.slice(0, cut));
    rest = rest.slice(cut);
  }
  return [...slices, rest];
}

function placeToCut(code: string): number {
  const window = code.slice(0, LONGEST_SLICE + 1);
  const statement = lastBeginning(window, /\n[ \t]*\n(?=\S)/g);
  // A cut far before the end would only make more slices.
  if (statement > LONGEST_SLICE / 2) return statement;
  const line = window.lastIndexOf('\n', LONGEST_SLICE - 1) + 1;
  if (line > 0) return line;
  return /[\ud800-\udbff]/.test(window.charAt(LONGEST_SLICE - 1))
    ? LONGEST_SLICE - 1
    : LONGEST_SLICE;
}

function lastBeginning(code: string, border: RegExp): number {
  let last = 0;
  for (const { index, 0: found } of code.matchAll(border)) last = index + found.length;
  return last;
}
