import * as v from 'valibot';
import type { RawBrowser, RawPage } from './raw-browser.ts';
import { checkSameWork, timedReloadSchema, type TimedReload } from './answer.ts';
import { directModel } from './models.ts';
import { bothSides, measurePairs, medianOfPairs, mediansBySide, type BySide } from './pairs.ts';
import type { ModelLaunch } from './section.ts';

const READY = '"result" in window';

/** Length of the answer: more than one token, so that it uses the GPU kernels for decoding too. */
const TOKENS = 8;

/** Medians over the pairs of one launch. */
export interface ReloadResult {
  /** Time from navigation to the first token, ours ÷ WebLLM's own. */
  ratio: number;
  /** Milliseconds from navigation to the first token. */
  firstTokenMs: BySide<number>;
  /** Milliseconds from navigation until the model was loaded. */
  loadedMs: BySide<number>;
}

/** Each side has a tab of its own, with all its files stored; the tabs are reloaded in turn. */
export async function measureReload(launch: ModelLaunch): Promise<ReloadResult> {
  const tabs = await openTabs(launch);
  const measure = { v1: () => reloadAsking(tabs.v1), direct: () => reloadAsking(tabs.direct) };
  // Browsers decide whether to cache a script's compiled code when they load it again.
  await measurePairs(2, measure, launch.isSwapped);
  const pairs = await measurePairs(launch.model.pairs.reload, measure, launch.isSwapped);
  for (const { v1, direct } of pairs) checkSameWork(v1, direct);
  await Promise.all([tabs.v1.close(), tabs.direct.close()]);
  return {
    ratio: medianOfPairs(
      pairs,
      ({ v1, direct }) => v1.sinceNavigationMs / direct.sinceNavigationMs,
    ),
    firstTokenMs: mediansBySide(pairs, ({ sinceNavigationMs }) => sinceNavigationMs),
    loadedMs: mediansBySide(pairs, ({ loadedMs }) => loadedMs),
  };
}

function openTabs({ browser, origin, model, isSwapped }: ModelLaunch): Promise<BySide<RawPage>> {
  const { id, messages, prompt } = model;
  const v1 = { model: id, messages, maxTokens: TOKENS };
  const direct = { model: directModel(model, origin), prompt, maxTokens: TOKENS };
  const tabs = {
    v1: () => openAsking(browser, `${origin}/slashv1/v1.html`, v1),
    direct: () => openAsking(browser, `${origin}/direct/direct.html`, direct),
  };
  return bothSides(tabs, isSwapped);
}

/** Opens a page that asks this question as soon as it can. Returns when it has its answer. */
export async function openAsking(
  browser: RawBrowser,
  url: string,
  question: unknown,
): Promise<RawPage> {
  const search = new URLSearchParams({ reload: JSON.stringify(question) });
  const page = await browser.open(`${url}?${search.toString()}`, READY);
  await page.evaluate('result');
  return page;
}

/** Reloads such a page. @returns what it has measured */
export async function reloadAsking(page: RawPage): Promise<TimedReload> {
  await page.bringToFront();
  await page.evaluate('delete window.result; location.reload()');
  await page.waitFor(READY);
  return v.parse(timedReloadSchema, await page.evaluate('result'));
}
