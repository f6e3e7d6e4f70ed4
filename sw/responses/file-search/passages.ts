import * as v from 'valibot';
import type { Tool, ToolCall } from '../../../src/core/operations/jobs/jobs.ts';
import { isJson } from '../../../src/core/text/is-json.ts';
import { beginning, TOKEN_BYTES } from '../hosted/beginning.ts';
import { FILE_SEARCH, type Passage } from './file-search-request.ts';

/** Most queries of a search. */
const MOST_QUERIES = 4;

/** The function that a model calls to search files. */
export const SEARCH_FUNCTION = {
  name: FILE_SEARCH,
  description: 'Searches the files of the user. Returns the passages that fit the queries best.',
  parameters: {
    type: 'object',
    properties: {
      queries: {
        type: 'array',
        items: { type: 'string' },
        minItems: 1,
        maxItems: MOST_QUERIES,
        description: 'What to search for: questions or words.',
      },
    },
    required: ['queries'],
  },
} satisfies Tool;

/** The call of the function with these queries. */
export function searchCall(id: string, queries: readonly string[]): ToolCall {
  return { id, name: FILE_SEARCH, arguments: JSON.stringify({ queries }) };
}

const callSchema = v.object({ queries: v.array(v.string()) });

/** The queries of a call; undefined: it has none, or cannot be read. */
export function queriesOf(json: string): string[] | undefined {
  if (!isJson(json)) return undefined;
  const call = v.safeParse(callSchema, JSON.parse(json));
  const queries = call.success ? call.output.queries.filter((each) => each.trim() !== '') : [];
  return queries.length > 0 ? queries.slice(0, MOST_QUERIES) : undefined;
}

/**
 * What the model reads of a search.
 *
 * @param before - how many passages it has read of earlier searches: the numbers go on
 * @param isCited - whether the model is to cite passages by their numbers
 */
export function passagesText(
  passages: readonly Passage[],
  before: number,
  isCited: boolean,
): string {
  if (passages.length === 0) return 'Nothing was found.';
  const numbered = passages.map(
    ({ filename, text }, at) => `[${before + at + 1}] ${filename}\n${text}`,
  );
  const example = `[${before + 1}]`;
  return [
    ...numbered,
    ...(isCited ? [`Cite the passages that you use by their numbers, such as ${example}.`] : []),
  ].join('\n\n');
}

/** The best passages that fit, or else the beginning of the best one. @param most - tokens */
export function fitting(passages: readonly Passage[], most: number): Passage[] {
  let left = most * TOKEN_BYTES;
  const kept = passages.filter(({ text }) => {
    left -= left < 0 ? 0 : new TextEncoder().encode(text).length;
    return left >= 0;
  });
  const [best] = passages;
  return kept.length > 0 || !best
    ? kept
    : [{ ...best, text: beginning(best.text, most * TOKEN_BYTES) }];
}
