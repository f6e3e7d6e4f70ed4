/**
 * `npm run maskbench -- [--file CASES] [--json VERDICTS]`: compiles schemas of MaskBench and checks in XGrammar
 * which of their values the grammars accept.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import * as v from 'valibot';
import { runCommand } from '../../scripts/run-command.ts';
import { casesFile, readCases } from './cases.ts';
import { report } from './report.ts';
import { verdictSchema, type Verdict } from './verdict.ts';

/** Cases that one process judges: XGrammar keeps what it compiled. */
const CHUNK = 300;

async function judged(file: string, from: number): Promise<Verdict[]> {
  const script = ['test/maskbench/judge.ts', file, String(from), String(from + CHUNK)];
  const { code, output, stdout } = await runCommand('node', script, { quiet: true });
  const lines = stdout.split('\n').filter((line) => line !== '');
  const verdicts = lines.map((line) => v.parse(verdictSchema, JSON.parse(line)));
  if (code !== 0) process.stderr.write(`${output.slice(stdout.length)}\n`);
  return verdicts;
}

/** All verdicts. If a process ends early, the case that it ended at has crashed, and the others follow. */
async function judgeAll(file: string): Promise<Verdict[]> {
  const names = readCases(file).map((item) => item.file);
  const verdicts: Verdict[] = [];
  for (let end = CHUNK; verdicts.length < names.length; end = verdicts.length + CHUNK) {
    verdicts.push(...(await judged(file, verdicts.length)));
    const crashed = names[verdicts.length];
    if (verdicts.length < end && crashed !== undefined) {
      verdicts.push({ file: crashed, outcome: 'crashed', detail: 'the process ended' });
    }
  }
  return verdicts;
}

const { values } = parseArgs({
  options: { file: { type: 'string' }, json: { type: 'string' } },
});
const file = casesFile(values.file);
if (file === undefined) {
  process.stdout.write('Skipped: the schemas of MaskBench are not here. Name them with --file.\n');
} else {
  const verdicts = await judgeAll(file);
  if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(verdicts, undefined, 1));
  process.stdout.write(report(verdicts));
  process.exitCode = verdicts.some(({ outcome }) => isFault(outcome)) ? 1 : 0;
}

function isFault(outcome: Verdict['outcome']): boolean {
  return outcome === 'accepts an invalid value' || outcome === 'crashed';
}
