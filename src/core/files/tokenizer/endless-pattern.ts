import { hasEndlessSearch } from './ambiguous-loop.ts';
import { parsePattern } from './pattern-tree.ts';

/** No tokenizer's pattern has so many groups, or characters. */
const MOST_GROUPS = 1_000;
const MOST_CHARACTERS = 50_000;

/** Parts of `tokenizer.json` with large lists instead of patterns. */
const WITHOUT_PATTERNS = new Set(['model', 'added_tokens']);

/**
 * A pattern in `tokenizer.json` over which the tokenizer may search for ever: it would hold up its model with a text of
 * some dozen characters.
 *
 * @param tokenizer - content of the file
 * @returns undefined: there is none
 */
export function endlessPattern(tokenizer: unknown): string | undefined {
  return [...patternsIn(tokenizer)].find((pattern) => {
    if (pattern.length > MOST_CHARACTERS || pattern.split('(').length > MOST_GROUPS) return true;
    const tree = parsePattern(pattern);
    return tree !== undefined && hasEndlessSearch(tree);
  });
}

function* patternsIn(tokenizer: unknown): Generator<string> {
  const open = [tokenizer];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, member] of Object.entries(value)) {
      if (key === 'Regex' && typeof member === 'string') yield member;
      else if (!WITHOUT_PATTERNS.has(key)) open.push(member);
    }
  }
}
