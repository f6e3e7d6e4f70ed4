import { readdirSync, readFileSync } from 'node:fs';
import * as v from 'valibot';
import { parseExact } from '../../../src/core/text/exact-json.ts';
import { SUITE } from './fetch-suite.ts';

const groups = v.array(
  v.object({
    description: v.string(),
    schema: v.union([v.boolean(), v.record(v.string(), v.unknown())]),
    tests: v.array(v.object({ description: v.string(), data: v.unknown(), valid: v.boolean() })),
  }),
);

/** A schema of the suite, with values that are valid or invalid under it. */
export type SuiteGroup = v.InferOutput<typeof groups>[number] & {
  /** Path of its file in the draft's folder, without its ending. */
  file: string;
};

/** The suite says by its folders which draft a schema follows. Schemas of these drafts do not name it. */
const DIALECTS: Record<string, string> = { draft7: 'http://json-schema.org/draft-07/schema#' };

export function readSuite(draft: string): SuiteGroup[] {
  const folder = `${SUITE}/${draft}`;
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith('.json'))
    .toSorted()
    .flatMap((file) => {
      const read = v.parse(groups, parseExact(readFileSync(`${folder}/${file}`, 'utf8')));
      return read.map((group) => ({
        ...group,
        file: file.replace(/\.json$/, ''),
        schema: dated(group.schema, DIALECTS[draft]),
      }));
    });
}

function dated(schema: SuiteGroup['schema'], $schema: string | undefined): SuiteGroup['schema'] {
  if (typeof schema === 'boolean' || $schema === undefined) return schema;
  return { $schema, ...schema };
}
