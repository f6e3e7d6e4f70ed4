/** `npm run simulate`: how large a cluster behind a site must be. docs/scale.md describes its options. */
import { planOptions } from './simulate/options.ts';
import { faultsTable, sizesTable } from './simulate/report.ts';
import { recordedLengths } from './simulate/workload.ts';

try {
  const plan = { ...planOptions(process.argv.slice(2)), recorded: recordedLengths() };
  process.stdout.write(`${sizesTable(plan)}\n${faultsTable(plan)}`);
} catch (error) {
  process.stderr.write(`simulate: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
