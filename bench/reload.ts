import * as v from 'valibot';
import type { RawBrowser, RawPage } from './raw-browser.ts';
import { checkSameWork, reloadSchema, type Reload } from './answer.ts';
import { directModel, type BenchModel } from './models.ts';
import { measurePairs, median, spread, type Pair, type Spread } from './statistics.ts';

const READY = '"result" in window';

export interface ReloadResult {
  /** Milliseconds from navigation to the first token, ours ÷ WebLLM's own, by pairs. */
  ratio: Spread;
  firstTokenMs: Pair<number>;
  /** Milliseconds from navigation until the model could be asked. */
  loadedMs: Pair<number>;
}

/** Each side in a tab of its own, with all its files stored; the tabs are reloaded in turn. */
export async function measureReload(
  browser: RawBrowser,
  origin: string,
  model: BenchModel,
): Promise<ReloadResult> {
  const { id, messages, prompt } = model;
  // Some, so that what writing takes counts as what answers take.
  const maxTokens = 8;
  const tabs: Pair<RawPage> = {
    v1: await open(browser, `${origin}/slashv1/v1.html`, { model: id, messages, maxTokens }),
    direct: await open(browser, `${origin}/direct/direct.html`, {
      model: directModel(model, origin),
      prompt,
      maxTokens,
    }),
  };
  const measure = { v1: () => reload(tabs.v1), direct: () => reload(tabs.direct) };
  // Twice each: what browsers keep of a script they decide when they see it again.
  await measurePairs(2, measure);
  const pairs = await measurePairs(model.pairs.reload, measure);
  for (const pair of pairs) checkSameWork(pair.v1, pair.direct);
  await Promise.all([tabs.v1.close(), tabs.direct.close()]);
  return {
    ratio: spread(pairs.map((pair) => pair.v1.sinceNavigationMs / pair.direct.sinceNavigationMs)),
    firstTokenMs: medians(pairs, ({ sinceNavigationMs }) => sinceNavigationMs),
    loadedMs: medians(pairs, ({ loadedMs }) => loadedMs),
  };
}

async function open(browser: RawBrowser, url: string, job: unknown): Promise<RawPage> {
  const search = new URLSearchParams({ reload: JSON.stringify(job) });
  const page = await browser.open(`${url}?${search.toString()}`, READY);
  await page.evaluate('result');
  return page;
}

async function reload(page: RawPage): Promise<Reload> {
  await page.bringToFront();
  await page.evaluate('delete window.result; location.reload()');
  await page.waitFor(READY);
  return v.parse(reloadSchema, await page.evaluate('result'));
}

function medians(pairs: Pair<Reload>[], value: (reload: Reload) => number): Pair<number> {
  return {
    v1: median(pairs.map((pair) => value(pair.v1))),
    direct: median(pairs.map((pair) => value(pair.direct))),
  };
}
