/**
 * `node models/tiny-chat/measure-tongue.ts TONGUE`: asks tiny-chat in another tongue the held-out prompts with tools that
 * `evaluate.py` has written, through the API, in llama.cpp. There a call is held to the tools that are offered. Writes
 * `tongues/TONGUE/report.json` and, of each kind, the cases for the tests.
 */
import { writeFileSync } from 'node:fs';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { MODEL } from '../../test/contract/support/api.ts';
import { LlamaCppEngine } from '../../test/contract/support/llamacpp-engine.ts';
import { quickApp } from '../../test/contract/support/quick-app.ts';
import { turnOf } from '../../test/contract/tools/tool-turns.ts';
import {
  readCases,
  readTongueModel,
  type TongueCase,
} from '../../test/unit/support/models/tongue-models.ts';

/** Most characters of the prompt of a test's case. */
const LONGEST = 1_300;

const [tongue = ''] = parseArgs({ allowPositionals: true }).positionals;
const here = (path: string) => new URL(path, import.meta.url);
const { post } = quickApp(new LlamaCppEngine(readTongueModel(tongue)));

/** What the model was right about. */
interface Answered {
  asked: TongueCase;
  thought: boolean;
  whole: boolean;
}

async function answered(asked: TongueCase): Promise<Answered> {
  const { messages, tools, variables, expect: taught } = asked;
  const body = { model: MODEL, messages, tools, chat_template_kwargs: variables, temperature: 0 };
  const path = '/chat/completions';
  const turn = await turnOf({ name: '', path, body }, await post(path, JSON.stringify(body)));
  return {
    asked,
    thought: turn.thought === taught.thought,
    whole: isDeepStrictEqual(turn, taught),
  };
}

function share(list: readonly boolean[]) {
  const exact = list.filter(Boolean).length;
  return { exact, of: list.length, percent: Math.round((1000 * exact) / list.length) / 10 };
}

const cases = readCases(here(`../../.cache/tiny-chat/held-out-${tongue}.json`));
const results: Answered[] = [];
for (const asked of cases) if (asked.tools.length > 0) results.push(await answered(asked));

const kinds = Map.groupBy(results, ({ asked }) => asked.kind);
const report = {
  measured: 'llama.cpp, through the API',
  kinds: Object.fromEntries(
    [...kinds].map(([kind, of]) => [kind, share(of.map(({ whole }) => whole))]),
  ),
  calls: share(
    results.filter(({ asked }) => asked.expect.calls.length > 0).map(({ whole }) => whole),
  ),
  thoughts: share(results.map(({ thought }) => thought)),
  all: share(results.map(({ whole }) => whole)),
};
writeFileSync(here(`tongues/${tongue}/report.json`), `${JSON.stringify(report, null, 1)}\n`);
const chosen = [...kinds.values()].flatMap((of) => {
  const fitting = of.filter(({ whole, asked }) => whole && asked.prompt.length <= LONGEST);
  const modes = Map.groupBy(fitting, ({ asked }) => JSON.stringify(asked.variables));
  return [...modes.values()].flatMap(([first]) => (first ? JSON.stringify(first.asked) : []));
});
writeFileSync(
  here(`../../test/fixtures/tiny-chat-${tongue}-cases.json`),
  `[\n${chosen.join(',\n')}\n]\n`,
);
process.stdout.write(`${JSON.stringify(report, null, 1)}\n`);
// The model's module keeps the process alive.
process.exit(0);
