import { hasAmbiguousLoop } from './ambiguous-loop.ts';
import { parsePattern } from './pattern-tree.ts';

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
    const tree = parsePattern(pattern);
    return tree !== undefined && hasAmbiguousLoop(tree);
  });
}

function* patternsIn(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    if (key === 'Regex' && typeof member === 'string') yield member;
    else if (!WITHOUT_PATTERNS.has(key)) yield* patternsIn(member);
  }
}
