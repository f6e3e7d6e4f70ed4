/**
 * `node scripts/compare-bench.ts a.json b.json`: two reports of `npm run bench -- --json` side by side, for
 * example from two checkouts. Figures whose intervals do not overlap are marked.
 */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { comparisonTable } from '../bench/comparison.ts';
import { parseReport, type Comparable } from '../bench/report-json.ts';
import { messageOf } from '../src/core/text/message-of.ts';

function readReport(path: string): Map<string, Comparable> {
  try {
    return parseReport(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new Error(`${path}: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

const [a, b, ...rest] = process.argv.slice(2);
if (a === undefined || b === undefined || rest.length > 0) {
  process.stderr.write('Usage: node scripts/compare-bench.ts a.json b.json\n');
  process.exit(2);
}
try {
  const names = [basename(a), basename(b)] as const;
  process.stdout.write(comparisonTable(readReport(a), readReport(b), names));
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
}
