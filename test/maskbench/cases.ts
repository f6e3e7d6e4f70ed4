import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import * as v from 'valibot';

/** A folder that may exist beside the checkout. The measurement is skipped elsewhere. */
const SHARED = join(import.meta.dirname, '../../../shared/fixtures');
const FILE = 'maskbench/maskbench-sample.jsonl.gz';

const caseSchema = v.object({
  /** The name of the schema in the benchmark. */
  file: v.string(),
  schema: v.unknown(),
  tests: v.array(v.object({ valid: v.boolean(), data: v.unknown() })),
});

/** A schema of MaskBench, with values that are valid or invalid under it. */
export type MaskCase = v.InferOutput<typeof caseSchema>;

/** The file of cases: the one that is named, else the one beside the checkout; undefined without any. */
export function casesFile(named: string | undefined): string | undefined {
  const file = named ?? join(SHARED, FILE);
  return named !== undefined || existsSync(file) ? file : undefined;
}

/** One case a line, gzipped. */
export function readCases(file: string): MaskCase[] {
  const lines = gunzipSync(readFileSync(file)).toString().trim().split('\n');
  return lines.map((line) => v.parse(caseSchema, JSON.parse(line)));
}
