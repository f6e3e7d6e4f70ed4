import { schemaGrammar } from '../../../src/core/grammar/compile.ts';
import { SchemaError } from '../../../src/core/grammar/schema/schema-error.ts';
import { stringifyExact } from '../../../src/core/text/exact-json.ts';
import { CompiledGrammar } from '../../unit/core/grammar/support/grammar-engine.ts';
import { reasonFor } from './reasons.ts';
import type { SuiteGroup } from './suite.ts';

/** What the grammar of a schema does with the values that the suite has for it. */
export interface Verdict {
  /** Why the schema is refused, without its own names; undefined: it has a grammar. */
  refused?: string;
  /** Why valid values are refused; what nothing explains is the value itself. */
  narrower: string[];
  /** Invalid values that are accepted. */
  accepted: string[];
}

export async function judge(group: SuiteGroup): Promise<Verdict> {
  const verdict: Verdict = { narrower: [], accepted: [] };
  let grammar: CompiledGrammar;
  try {
    grammar = await CompiledGrammar.compile(schemaGrammar(group.schema, { strict: false }));
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    const [keyword = ''] = /[\w$]+$/.exec(error.path) ?? [];
    const text = error.text.replaceAll(/'[^']*'/g, '…').replaceAll(/\[\d+\]/g, '');
    return { ...verdict, refused: `${keyword} ${text}`.trim() };
  }
  for (const { data, valid } of group.tests) {
    const text = stringifyExact(data);
    const isAccepted = grammar.accepts(text);
    if (isAccepted && !valid) verdict.accepted.push(text);
    if (!isAccepted && valid) verdict.narrower.push(reasonFor(group, data) ?? text);
  }
  grammar.dispose();
  return verdict;
}
