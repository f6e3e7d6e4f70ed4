/**
 * `node models/decisions/measure.ts MODEL [--seconds N]`: asks a model every question of the labelled set, as
 * `POST /v1/decisions` asks it, and writes the figures into `report.json`. After N seconds it stops. The next run asks the
 * rest: answers are kept in `.cache/decisions`, which must be deleted when the engine or the model's file has changed.
 *
 * `--items FILE --report FILE`: asks other questions, choices by the words that the API picks, and writes another report.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import * as v from 'valibot';
import { ensureDefaultPack } from '../../src/node/pack/writing/default-pack.ts';
import { answeredSchema, openModel, type Naming } from './asked-model.ts';
import { itemSchema, type Item } from './item.ts';
import { labelledItems } from './items.ts';
import { figuresOf } from './report.ts';

const ROOT = join(import.meta.dirname, '../..');
const CACHE = join(ROOT, '.cache');

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: 'Infinity' },
    items: { type: 'string' },
    report: { type: 'string', default: join(import.meta.dirname, 'report.json') },
  },
});
const [model] = positionals;
if (model === undefined) throw new Error('Name a model: tiny-chat, smollm2-135m or a GGUF file.');
const name = basename(model, '.gguf');
const kept = join(CACHE, 'decisions', `${name}.json`);
mkdirSync(join(CACHE, 'decisions'), { recursive: true });

const items =
  values.items === undefined ? labelledItems() : readJson(values.items, v.array(itemSchema));
const asked = (items ?? []).flatMap((item) =>
  namingsOf(item).map((naming) => ({ item, naming, key: keyOf(item, naming) })),
);
const answers = new Map(Object.entries(readJson(kept, v.record(v.string(), answeredSchema)) ?? {}));
const missing = asked.filter(({ key }) => !answers.has(key));
const until = performance.now() + Number(values.seconds) * 1000;
if (missing.length > 0) {
  const ask = await openModel(await fileOf(model));
  while (missing.length > 0 && performance.now() < until) {
    const [next] = missing.splice(0, 1);
    if (next) answers.set(next.key, await ask(next.item, next.naming));
  }
  writeFileSync(kept, JSON.stringify(Object.fromEntries(answers)));
}
process.stdout.write(
  `${asked.length - missing.length} of ${asked.length} questions are answered\n`,
);
if (missing.length === 0) writeReport();
// The model's module keeps the process alive.
process.exit(missing.length === 0 ? 0 : 1);

function writeReport(): void {
  const figures = (type: Item['type'], by: Naming = 'words') =>
    figuresOf(
      asked.flatMap(({ item, naming, key }) => {
        const answer = answers.get(key);
        return answer && item.type === type && naming === by ? [{ item, ...answer }] : [];
      }),
    );
  const report = {
    ...readJson(values.report, v.record(v.string(), v.unknown())),
    [name]: {
      predicate: figures('predicate'),
      choiceByWords: figures('choice'),
      ...(values.items === undefined && { choiceByLetters: figures('choice', 'letters') }),
      score: figures('score'),
    },
  };
  const rounded = (_key: string, value: unknown) =>
    typeof value === 'number' ? Number(value.toFixed(3)) : value;
  writeFileSync(values.report, `${JSON.stringify(report, rounded, 2)}\n`);
}

function namingsOf({ type }: Item): Naming[] {
  return type === 'choice' && values.items === undefined ? ['words', 'letters'] : ['words'];
}

/** Changes if the question does. */
function keyOf({ type, input, instructions, options }: Item, naming: Naming): string {
  return JSON.stringify([type, naming, input, instructions, options]);
}

/** The GGUF file of a model that is named, or the file itself. */
async function fileOf(named: string): Promise<string> {
  if (named.endsWith('.gguf')) return named;
  const folder =
    named === 'smollm2-135m' ? await ensureDefaultPack(CACHE) : join(ROOT, 'models/packs', named);
  const file = readdirSync(folder).find((each) => each.endsWith('.gguf'));
  if (file === undefined) throw new Error(`${folder} has no GGUF file.`);
  return join(folder, file);
}

function readJson<S extends v.GenericSchema>(
  path: string,
  schema: S,
): v.InferOutput<S> | undefined {
  if (!existsSync(path)) return undefined;
  return v.parse(schema, JSON.parse(readFileSync(path, 'utf8')));
}
