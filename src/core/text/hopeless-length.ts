/** No vocabulary has longer tokens: runs of white space are the longest, up to 128. */
const MOST_CHARACTERS_PER_TOKEN = 128;

/** Whether a text has more than so many tokens in any vocabulary. */
export function isHopeless(text: string, tokens: number): boolean {
  return text.length > tokens * MOST_CHARACTERS_PER_TOKEN;
}

/** The beginning of a text, without what cannot be among its first tokens in any vocabulary. */
export function withinReach(text: string, tokens: number): string {
  return text.slice(0, tokens * MOST_CHARACTERS_PER_TOKEN);
}
