/** A word and when it was said, seconds. */
export interface Word {
  word: string;
  start: number;
  end: number;
}

/** Languages that are written without spaces have a word for each token. */
const BEGINS_WORD =
  /^[\s]|^[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}]/u;

/**
 * The words of a segment. A word begins with a space; punctuation belongs to the word before it.
 *
 * @param tokens - of text, with the time at which each begins
 * @param end - of the segment, seconds
 * @param decode - makes text of tokens; a character that they hold only in part becomes U+FFFD
 */
export function wordsOf(
  tokens: readonly { id: number; time: number }[],
  end: number,
  decode: (ids: number[]) => string,
): Word[] {
  const words: { text: string; start: number }[] = [];
  let ids: number[] = [];
  let start = 0;
  for (const { id, time } of tokens) {
    if (ids.length === 0) start = time;
    ids.push(id);
    const text = decode(ids);
    if (text.endsWith('\u{FFFD}')) continue;
    ids = [];
    const last = words.at(-1);
    const isNew = BEGINS_WORD.test(text) && /[\p{L}\p{N}]/u.test(text);
    if (last && !isNew) last.text += text;
    else words.push({ text, start });
  }
  return words.map(({ text, start: begin }, index) => ({
    word: text.trim(),
    start: begin,
    end: Math.max(begin, words[index + 1]?.start ?? end),
  }));
}
