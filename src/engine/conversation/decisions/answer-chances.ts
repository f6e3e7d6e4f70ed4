import type { Decision } from '../../../core/operations/jobs/jobs.ts';
import type { TokenIndex } from './token-index.ts';

/** A beginning less likely than this is not followed further. */
const NEGLIGIBLE = 1e-4;

const encoder = new TextEncoder();

/** What the chances of answers are computed with. */
export interface ChanceReader {
  index: TokenIndex;
  /** Tokens with which the model ends its turn. */
  endTokenIds: readonly number[];
  /**
   * @param path - tokens that follow the prompt
   * @param ids - of tokens that may come next
   * @returns natural logarithms of their probabilities, in the model's own distribution
   */
  read: (path: readonly number[], ids: readonly number[]) => Promise<readonly number[]>;
}

/** A text that an answer may still become. */
interface Possible {
  /** Which answer it is. */
  answer: number;
  /** What is left of it, UTF-8. */
  rest: Uint8Array;
}

/**
 * How likely each of the answers is if the model must give one of them, at temperature 1: at each token, the
 * probabilities of those that keep an answer possible, divided by their sum. As soon as only one answer is possible, it
 * is certain.
 *
 * @param answers - the texts of each answer; no text is empty, and no two answers share one
 */
export async function answerChances(
  reader: ChanceReader,
  answers: readonly (readonly string[])[],
): Promise<Decision> {
  const probabilities = answers.map(() => 0);
  const texts = answers.flatMap((each, answer) =>
    each.map((text) => ({ answer, rest: encoder.encode(text) })),
  );
  const coverage = await follow(reader, [], texts, 1, (answer, chance) => {
    probabilities[answer] = (probabilities[answer] ?? 0) + chance;
  });
  const sum = probabilities.reduce((a, b) => a + b, 0);
  return {
    probabilities: probabilities.map((each) => each / sum),
    coverage: Math.min(1, coverage),
  };
}

/**
 * Adds the chances of all answers that begin with the path.
 *
 * @param chance - of the path
 * @returns how likely the model itself is to give one of the answers after it
 */
async function follow(
  reader: ChanceReader,
  path: readonly number[],
  possible: readonly Possible[],
  chance: number,
  add: (answer: number, chance: number) => void,
): Promise<number> {
  const next = nextTokens(reader, path, possible);
  const ids = [...next.keys()];
  const logprobs = await reader.read(path, ids);
  const likeliest = Math.max(...logprobs);
  const weights = logprobs.map((logprob) => Math.exp(logprob - likeliest));
  const sum = weights.reduce((a, b) => a + b, 0);
  let coverage = 0;
  for (const [at, [id, left]] of [...next].entries()) {
    const share = chance * ((weights[at] ?? 0) / sum);
    const own = Math.exp(logprobs[at] ?? -Infinity);
    const alive = new Set(left.map(({ answer }) => answer));
    if (alive.size === 1 || share < NEGLIGIBLE) {
      for (const answer of alive) add(answer, share / alive.size);
      coverage += own;
    } else {
      coverage += own * (await follow(reader, [...path, id], left, share, add));
    }
  }
  return coverage;
}

/** The tokens that keep an answer possible, each with what is left of the answers. */
function nextTokens(
  { index, endTokenIds }: ChanceReader,
  path: readonly number[],
  possible: readonly Possible[],
): Map<number, Possible[]> {
  const next = new Map<number, Possible[]>();
  const note = (id: number, left: Possible) => {
    const known = next.get(id);
    if (known) known.push(left);
    else next.set(id, [left]);
  };
  for (const each of possible) {
    if (each.rest.length === 0) for (const id of endTokenIds) note(id, each);
    else {
      for (const { id, length } of index.beginning(each.rest, path.length === 0)) {
        note(id, { ...each, rest: each.rest.subarray(length) });
      }
    }
  }
  return next;
}
