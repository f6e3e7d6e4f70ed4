import { seededRandom } from '../../../scripts/seeded-random.ts';
import { randomBlocks, type QuantisedFormat } from '../gguf/quantised-blocks.ts';

/** The largest error of a product that counts as rounding. */
export const MOST_ERROR = 1e-2;
const COLUMNS = 256;
const ROWS = 64;

/** A matrix of random weights, for the check of a GPU. */
export function checkedWeights(format: QuantisedFormat) {
  const blocks = (COLUMNS * ROWS) / format.weights;
  const bytes = randomBlocks(format, blocks, seededRandom(format.type));
  return { type: format.type, columns: COLUMNS, rows: ROWS, bytes };
}
