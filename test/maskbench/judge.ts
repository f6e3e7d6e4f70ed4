/**
 * `node test/maskbench/judge.ts FILE FROM TO`: judges some of the cases and prints a line of JSON for each.
 * XGrammar keeps what it compiled, so each few hundred cases get a process of their own.
 */
import { schemaGrammar } from '../../src/core/grammar/compile.ts';
import { SchemaError } from '../../src/core/grammar/schema/schema-error.ts';
import { CompiledGrammar } from '../unit/core/grammar/support/grammar-engine.ts';
import { readCases, type MaskCase } from './cases.ts';
import type { Verdict } from './verdict.ts';
import { messageOf } from '../../src/core/text/message-of.ts';

type Times = Pick<Verdict, 'convertMs' | 'compileMs' | 'size'>;

async function judge({ file, schema, tests }: MaskCase): Promise<Verdict> {
  const times: Times = {};
  try {
    const grammar = await compile(schema, times);
    const wrongs = tests.filter(
      ({ valid, data }) => grammar.accepts(JSON.stringify(data)) !== valid,
    );
    // An invalid value that is accepted is worse.
    const wrong = wrongs.find(({ valid }) => !valid) ?? wrongs[0];
    grammar.dispose();
    if (!wrong) return { file, outcome: 'passed', ...times };
    const outcome = wrong.valid ? 'refuses a valid value' : 'accepts an invalid value';
    return { file, outcome, detail: JSON.stringify(wrong.data), ...times };
  } catch (error) {
    const detail = messageOf(error);
    return {
      file,
      outcome: error instanceof SchemaError ? 'refused' : 'crashed',
      detail,
      ...times,
    };
  }
}

async function compile(schema: unknown, times: Times): Promise<CompiledGrammar> {
  const begun = cpuMs();
  try {
    const grammar = schemaGrammar(schema, { strict: false });
    times.size = grammar.length;
    times.convertMs = cpuMs() - begun;
    const compiled = await CompiledGrammar.compile(grammar);
    times.compileMs = cpuMs() - begun - times.convertMs;
    return compiled;
  } finally {
    times.convertMs ??= cpuMs() - begun;
  }
}

/** CPU time of this thread: it does not depend on what else the machine does. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

const [file = '', from, to] = process.argv.slice(2);
// The first grammar waits for XGrammar to start.
(await CompiledGrammar.compile('root ::= "a"')).dispose();
for (const item of readCases(file).slice(Number(from), Number(to))) {
  process.stdout.write(`${JSON.stringify(await judge(item))}\n`);
}
