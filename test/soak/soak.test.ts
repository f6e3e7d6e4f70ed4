import type { Page } from 'playwright/test';
import { expect, openPage, reloadPage, test } from '../browser/support/fixtures.ts';
import { seededRandom } from '../../scripts/seeded-random.ts';
import { FAULTS, Tabs } from './faults.ts';
import { ask, isServed, KINDS, prepareReader, type Texts } from './load.ts';
import { MEASURES, measureMemory, saveHeap, type Memory } from './memory.ts';

const MINUTES = Number(process.env['SOAK_MINUTES'] ?? 30);
const SEED = Number(process.env['SOAK_SEED'] ?? 1);
/** After this part of the time, caches and pools count as full. */
const WARM_UP = 0.25;
const MAX_GROWTH = 0.05;
/**
 * After an update, the service worker may run in the process that crashes, and then its answers break. If
 * the update was about to take over, the page's next requests reach the site's server.
 */
const CUT = /Failed to fetch|Connection error|network error|404 not found$/;
/** Number of measurements, each with a new engine. The smallest one counts. */
const MEASUREMENTS = 3;
const MOST_AT_ONCE = 4;
/** Part of the rounds of requests that have a fault. */
const FAULT_CHANCE = 0.3;

test(`memory does not grow in ${MINUTES} minutes of mixed load with faults`, async ({
  undebugged,
  site,
}, testInfo) => {
  const random = seededRandom(SEED);
  const oneOf = <T>(all: readonly T[]) => all[Math.floor(random() * all.length)];
  process.stdout.write(`seed ${SEED}\n`);

  const tabs = new Tabs(undebugged, site);
  const first = await tabs.open();
  await tabs.open();
  const key = await first.evaluate(() => window.v1.keys.create({ label: 'soak' }));
  // These pages never host the engine, so no fault ends them. `reader` sends most requests, and the heap
  // of `staying` is measured.
  const reader = await openPage(undebugged, site.url);
  const staying = await openPage(undebugged, site.url);
  let texts: Texts = [];
  const prepare = async (page: Page) => {
    await reloadPage(page);
    texts = await prepareReader(page, key, texts);
  };
  for (const page of [reader, staying]) await prepare(page);

  const counts = new Map<string, number>();
  const count = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
  /** Faults so far, in order. */
  const struck: string[] = [];
  const round = async () => {
    const kinds = Array.from({ length: 1 + Math.floor(random() * MOST_AT_ONCE) }, () =>
      oneOf(KINDS),
    ).filter((kind) => kind !== undefined);
    const answers = kinds.map((kind) => ask(reader, kind, random()));
    answers.push(ask(staying, 'whole', random()));
    const fault = random() < FAULT_CHANCE ? oneOf(FAULTS) : undefined;
    if (fault) {
      struck.push(fault);
      await tabs.strike(fault);
    }
    const wrong = (await Promise.all(answers)).filter(
      (answer) => answer !== 'ok' && !(fault === 'crash' && CUT.test(answer)),
    );
    const last = struck.slice(-5).join();
    expect(wrong, `${fault ?? 'no fault'} during ${kinds.join()}; last ${last}`).toEqual([]);
    for (const name of [...kinds, ...(fault ? [`fault ${fault}`] : [])]) count(name);
    if (fault !== 'crash') return;
    for (const page of [reader, staying]) {
      if (await isServed(page)) continue;
      // The page library would repair that, but these pages run without it.
      await prepare(page);
      count('lost page');
    }
  };
  const loadUntil = async (end: number) => {
    while (performance.now() < end) await round();
  };
  const measureOnce = async (): Promise<Memory> => {
    // Each measurement has a new engine with the same requests. Otherwise the GPU process would hold the
    // pools of a new device in one measurement and the garbage of an old device in another.
    await tabs.strike('kill');
    for (const kind of KINDS) expect(await ask(reader, kind, 0.9)).toBe('ok');
    return measureMemory(staying, await tabs.leader(), async () => {
      expect(await ask(reader, 'whole', 0)).toBe('ok');
    });
  };
  const measure = async (): Promise<Memory> => {
    const all: Memory[] = [];
    while (all.length < MEASUREMENTS) all.push(await measureOnce());
    return least(all);
  };

  const begun = performance.now();
  const length = MINUTES * 60_000;
  await loadUntil(begun + length * WARM_UP);
  // A snapshot leaves memory in the process. Taken before the first measurement, it is in all of them.
  await saveHeap(staying, testInfo.outputPath('warm.heapsnapshot'));
  const starting = await measure();
  report('after the warm-up', starting);
  // With only two measurements, a leak and a cache that fills up would look alike.
  for (const part of [0.5, 0.75]) {
    await loadUntil(begun + length * part);
    report(`after ${MINUTES * part} minutes`, await measure());
  }
  await loadUntil(begun + length);
  const atEnd = await measure();
  report('at the end', atEnd);
  await saveHeap(staying, testInfo.outputPath('end.heapsnapshot'));
  process.stdout.write(`${JSON.stringify(Object.fromEntries(counts))}\n`);
  const grown = MEASURES.filter((name) => atEnd[name] > starting[name] * (1 + MAX_GROWTH));
  expect(grown).toEqual([]);
});

function least(all: readonly Memory[]): Memory {
  const of = (name: keyof Memory) => Math.min(...all.map((memory) => memory[name]));
  return { page: of('page'), worker: of('worker'), renderers: of('renderers'), gpu: of('gpu') };
}

function report(when: string, memory: Memory): void {
  const parts = MEASURES.map((name) => `${name} ${(memory[name] / 1e6).toFixed(2)} MB`);
  process.stdout.write(`${when}: ${parts.join(', ')}\n`);
}
