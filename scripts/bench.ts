/**
 * `npm run bench [-- --only chat.tiny,reload] [--pairs 4] [--json] [--check]`: what the API costs beside
 * WebLLM alone, both measured in the same run. With --json, standard output is one line of JSON and the
 * table goes to standard error; with --check, a missed goal is a failure.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isReached, nested, table, type Figure } from '../bench/figures.ts';
import type { Section, Surroundings } from '../bench/section.ts';
import { SECTIONS, worstOfModels } from '../bench/sections.ts';
import { buildBenchSite, SITE } from '../bench/site.ts';
import { createSiteServer } from '../src/node/serve/site-server.ts';
import { listen } from '../src/node/serve/listen.ts';
import { defaultPacks } from './packs.ts';
import { ROOT } from './stamp.ts';

interface Outcome {
  figures: Figure[];
  /** What could not be measured, and why. */
  failures: string[];
}

/** Sections that the names select: by a whole name, the beginning of one, or a figure in one. */
function selected(only: string | undefined): Section[] {
  if (only === undefined) return SECTIONS;
  const names = only.split(',').map((name) => name.trim());
  const has = ({ name }: Section, wanted: string) =>
    name === wanted || name.startsWith(`${wanted}.`) || wanted.startsWith(`${name}.`);
  const unknown = names.find((name) => !SECTIONS.some((section) => has(section, name)));
  if (unknown === undefined) {
    return SECTIONS.filter((section) => names.some((name) => has(section, name)));
  }
  const known = SECTIONS.map(({ name }) => name).join(', ');
  throw new Error(`--only ${unknown}: there is no such figure; there are ${known}.`);
}

function pairsOption(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const pairs = Number(text);
  if (Number.isInteger(pairs) && pairs > 0) return pairs;
  throw new Error(`--pairs ${text}: it must be a whole number from 1.`);
}

/** The packs that the sections use; the default one takes long to make where it is not there. */
async function packsOf(sections: Section[]): Promise<string[]> {
  const needsDefault = sections.some(({ model }) => model === 'smollm2' || model === 'kokoro');
  return needsDefault ? defaultPacks() : [join(ROOT, 'models/packs/tiny-chat')];
}

async function withSite<T>(
  sections: Section[],
  use: (where: Pick<Surroundings, 'origin' | 'packs'>) => Promise<T>,
): Promise<T> {
  const packs = sections.some(({ model }) => model !== undefined) ? await packsOf(sections) : [];
  if (packs.length === 0) return use({ origin: '', packs });
  await buildBenchSite(
    packs,
    sections.some(({ model }) => model === 'kokoro'),
  );
  const { origin, close } = await listen(createSiteServer(SITE), 0, '--port');
  try {
    return await use({ origin, packs });
  } finally {
    await close();
  }
}

async function measureAll(sections: Section[], where: Surroundings): Promise<Outcome> {
  const outcome: Outcome = { figures: [], failures: [] };
  for (const section of sections) {
    process.stderr.write(`bench: ${section.name} …\n`);
    try {
      outcome.figures.push(...(await section.measure(where)));
    } catch (error) {
      outcome.failures.push(
        `${section.name}: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
  outcome.figures.push(...worstOfModels(outcome.figures));
  return outcome;
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      pairs: { type: 'string' },
      json: { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
    },
  });
  const sections = selected(values.only);
  const pairs = pairsOption(values.pairs);
  const { figures, failures } = await withSite(sections, (where) =>
    measureAll(sections, { ...where, pairs }),
  );
  (values.json ? process.stderr : process.stdout).write(`\n${table(figures)}`);
  for (const failure of failures) process.stderr.write(`bench: not measured: ${failure}\n`);
  if (values.json) process.stdout.write(`${JSON.stringify(nested(figures))}\n`);
  const missed = values.check && !figures.every(isReached);
  return failures.length > 0 || missed ? 1 : 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`bench: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
