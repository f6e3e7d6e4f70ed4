import { isJson } from '../../../src/core/text/is-json.ts';

/** What may be missing at the end of a JSON text that was cut: the ends of strings, and of other values. */
const ENDS_OF_TEXT = ['"', '\\"', '0"', '00"', '000"', '0000"'];
const NULL = ':null';
const ENDS = ['', 'null', NULL, '0', 'rue', 'ue', 'e', 'alse', 'lse', 'se', 'ull', 'll', 'l'];
const CLOSING: Readonly<Record<string, string>> = { '{': '}', '[': ']' };

/**
 * Closes a JSON object that was cut off, as `max_tokens` cuts the arguments of a call.
 *
 * @returns the JSON of what is there of the object; undefined if the text is not the beginning of one
 */
export function closedJson(cut: string): string | undefined {
  if (!cut.trimStart().startsWith('{')) return undefined;
  const { inText, closing } = openParts(cut);
  // A comma needs another member, which was not begun.
  const text = inText ? cut : cut.replace(/,\s*$/, '');
  const ends = inText ? [...ENDS_OF_TEXT, ...ENDS_OF_TEXT.map((end) => end + NULL)] : ENDS;
  return ends.map((end) => text + end + closing).find(isJson);
}

/** What is open at the end of a text of JSON: a string, and the brackets around it. */
function openParts(json: string): { inText: boolean; closing: string } {
  let closing = '';
  let inText = false;
  for (const [token] of json.matchAll(/\\.|["{}[\]]/gs)) {
    if (token === '"') inText = !inText;
    else if (inText || token.startsWith('\\')) continue;
    else if (token in CLOSING) closing = (CLOSING[token] ?? '') + closing;
    else closing = closing.slice(1);
  }
  return { inText, closing };
}
