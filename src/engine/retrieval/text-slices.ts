/** Some of a job's texts, which take one turn. */
export interface TextSlice {
  texts: string[];
  /** The place of each text in its request. */
  places: number[];
}

/** Limits of a slice. Each text is at least a token, and few have less than two characters for one. */
const MOST_TEXTS = 32;
const MOST_CHARACTERS = 8_000;

/**
 * The texts in slices of similar lengths, the longest first: a text that is too long is found before anything
 * has been computed.
 *
 * @param places - as in the job
 */
export function textSlices(texts: readonly string[], places?: readonly number[]): TextSlice[] {
  const all = texts.map((text, index) => ({ text, place: places?.[index] ?? index }));
  const slices: TextSlice[] = [];
  let characters = 0;
  for (const { text, place } of all.toSorted((a, b) => b.text.length - a.text.length)) {
    const slice = slices.at(-1);
    characters += text.length;
    if (slice && slice.texts.length < MOST_TEXTS && characters <= MOST_CHARACTERS) {
      slice.texts.push(text);
      slice.places.push(place);
    } else {
      slices.push({ texts: [text], places: [place] });
      characters = text.length;
    }
  }
  return slices;
}
