/** Bytes of text that count as a token. Most texts have more, so that they take fewer tokens. */
export const TOKEN_BYTES = 3;

/** What tools give to a model at once is at most this part of its context. */
export const CONTEXT_SHARE = 1 / 4;

/** The beginning of a text. @param most - bytes of UTF-8 */
export function beginning(text: string, most: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(most));
  return text.slice(0, read);
}
