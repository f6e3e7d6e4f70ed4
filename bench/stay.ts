import type { TextEngineName } from '../src/core/realms/device-report.ts';
import type { TimedReload } from './answer.ts';
import { measured, type Reading } from './figures.ts';
import { openAsking, reloadAsking } from './reload.ts';
import { measurePairs, medianOfPairs, mediansBySide } from './pairs.ts';
import { inBrowser, type ModelLaunch, type ModelName, type Section } from './section.ts';

/** The next page of a site with an engine that outlives its pages, beside one with an engine that does not. */
export function staySection(model: ModelName, engines: TextEngineName[]): Section {
  return {
    name: `stay.${model}`,
    model,
    measure: (launch) => inBrowser(model, launch, (one) => measureStay(model, engines, one)),
  };
}

async function measureStay(
  name: ModelName,
  engines: TextEngineName[],
  launch: ModelLaunch,
): Promise<Reading[]> {
  const measure = {
    v1: () => nextPage(launch, engines, true),
    direct: () => nextPage(launch, engines, false),
  };
  await measurePairs(1, measure, launch.isSwapped);
  const pairs = await measurePairs(launch.model.pairs.reload, measure, launch.isSwapped);
  const firstTokenMs = mediansBySide(pairs, ({ sinceNavigationMs }) => sinceNavigationMs);
  const startMs = mediansBySide(pairs, (page) => page.startMs);
  const loadedMs = mediansBySide(pairs, (page) => page.loadedMs);
  const ratio = medianOfPairs(
    pairs,
    ({ v1, direct }) => v1.sinceNavigationMs / direct.sinceNavigationMs,
  );
  const at = `stay.${name}`;
  return [
    measured(`${at}.ratio`, ratio),
    measured(`${at}.first_token_ms`, firstTokenMs.v1),
    measured(`${at}.page_first_token_ms`, firstTokenMs.direct, 'the engine ends with the page'),
    measured(`${at}.start_ms`, startMs.v1, 'start() on the next page'),
    measured(`${at}.page_start_ms`, startMs.direct),
    measured(`${at}.loaded_ms`, loadedMs.v1, 'navigation to the end of start()'),
    measured(`${at}.page_loaded_ms`, loadedMs.direct),
  ];
}

/** A visit of two pages; what is measured is the second. The tab is closed, because one engine serves all tabs. */
async function nextPage(
  { browser, origin, model }: ModelLaunch,
  engines: TextEngineName[],
  outlive: boolean,
): Promise<TimedReload> {
  const question = { model: model.id, messages: model.messages, maxTokens: 8, engines, outlive };
  const page = await openAsking(browser, `${origin}/slashv1/v1.html`, question);
  const result = await reloadAsking(page);
  await page.close();
  return result;
}
