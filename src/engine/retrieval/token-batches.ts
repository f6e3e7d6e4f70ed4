/** Tokens of a batch, padding included: few enough that an abort takes effect soon. */
const MOST_TOKENS = 512;

/**
 * Groups texts into batches of similar lengths, so that little is padded. The longest texts come first, so that a lack
 * of memory shows at once.
 *
 * @param lengths - tokens of each text
 * @returns indexes into `lengths`
 */
export function tokenBatches(lengths: readonly number[], mostTokens = MOST_TOKENS): number[][] {
  const order = [...lengths.keys()].toSorted((a, b) => (lengths[b] ?? 0) - (lengths[a] ?? 0));
  const batches: number[][] = [];
  let longest = 0;
  for (const index of order) {
    const batch = batches.at(-1);
    if (batch && (batch.length + 1) * longest <= mostTokens) {
      batch.push(index);
      continue;
    }
    batches.push([index]);
    longest = lengths[index] ?? 0;
  }
  return batches;
}
