/**
 * `npm run bench`: what the API costs beside WebLLM alone, both measured in the same launches. Its options
 * are described in bench/README.md.
 */
import { join } from 'node:path';
import { benchOptions, ENOUGH_LAUNCHES, selectSections } from '../bench/command-line.ts';
import { figuresOf, type Figure } from '../bench/figures.ts';
import { measureSections, type Outcome } from '../bench/launches.ts';
import { randomMiniLmPack } from '../bench/random-minilm.ts';
import { reportOf } from '../bench/report-json.ts';
import { reportTable } from '../bench/report-table.ts';
import type { Section, Setup } from '../bench/section.ts';
import { SECTIONS } from '../bench/sections.ts';
import { buildBenchSite, SITE } from '../bench/site.ts';
import { createSiteServer } from '../src/node/serve/site-server.ts';
import { listen } from '../src/node/serve/listen.ts';
import { defaultPacks } from './build/packs.ts';
import { ROOT } from './build/stamp.ts';
import { messageOf } from '../src/core/text/message-of.ts';

/** The packs that the sections need. The default pack takes long to make the first time. */
async function packsOf(sections: readonly Section[]): Promise<string[]> {
  if (sections.every(({ model }) => model === undefined)) return [];
  const needsDefault = sections.some(({ model }) => model === 'smollm2' || model === 'kokoro');
  const ours = ['tiny-chat', 'tiny-embed', 'tiny-hear', 'tiny-see'].map((name) =>
    join(ROOT, 'models/packs', name),
  );
  if (sections.some(({ model }) => model === 'minilm')) ours.push(await randomMiniLmPack());
  if (!needsDefault) return ours;
  const packs = await defaultPacks();
  return [...packs, ...ours.filter((folder) => !packs.includes(folder))];
}

/** Serves the bench's site while `use` runs, if a section needs it. */
async function withSite<T>(
  sections: readonly Section[],
  use: (setup: Setup) => Promise<T>,
): Promise<T> {
  const packs = await packsOf(sections);
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

function log(line: string): void {
  process.stderr.write(`bench: ${line}\n`);
}

/** The clock for `--minutes` starts now; without the option it never runs out. */
function timeBudget(minutes = Number.POSITIVE_INFINITY): () => boolean {
  const end = performance.now() + minutes * 60_000;
  return () => performance.now() < end;
}

function explain(figures: readonly Figure[], { failures, notHere, leftOut }: Outcome): void {
  if (figures.some(({ verdict }) => verdict === 'too few launches')) {
    log(`Fewer than ${ENOUGH_LAUNCHES} launches are too few for a verdict.`);
  }
  for (const name of leftOut) log(`not measured: ${name}: the time was spent`);
  for (const message of [...notHere, ...failures]) log(`not measured: ${message}`);
}

async function main(): Promise<number> {
  const { only, pairs, launches, minutes, json, check } = benchOptions(process.argv.slice(2));
  const sections = selectSections(SECTIONS, only);
  const outcome = await withSite(sections, (setup) => {
    const hasTime = timeBudget(minutes);
    const onLaunch = (name: string) => log(`${name} …`);
    return measureSections({ sections, launches, hasTime, onLaunch }, { ...setup, pairs });
  });
  const figures = figuresOf(outcome.readings);
  (json ? process.stderr : process.stdout).write(`\n${reportTable(figures)}`);
  explain(figures, outcome);
  if (json) process.stdout.write(`${JSON.stringify(reportOf(figures))}\n`);
  const isMissed = check && figures.some(({ verdict }) => verdict === 'missed');
  return outcome.failures.length > 0 || isMissed ? 1 : 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  log(messageOf(error));
  process.exitCode = 1;
}
