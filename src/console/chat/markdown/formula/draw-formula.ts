import temml from 'temml';

/** Most expansions of macros: a formula may define some that double each time. */
const MOST_EXPANSIONS = 500;
/** The largest sizes that a formula may ask for, in em. */
const LARGEST: [number, number] = [10, 20];

/**
 * Draws a formula as MathML. Its commands for links, images and HTML are not trusted.
 *
 * @returns whether it could be drawn
 */
export function drawFormula(place: HTMLElement, tex: string, isBlock: boolean): boolean {
  try {
    temml.render(tex, place, {
      displayMode: isBlock,
      // A screen reader and a copy have the source.
      annotate: true,
      throwOnError: true,
      trust: false,
      maxSize: LARGEST,
      maxExpand: MOST_EXPANSIONS,
    });
    return true;
  } catch {
    place.replaceChildren();
    return false;
  }
}
