import type { RawPage } from './raw-browser.ts';
import { call } from './browser.ts';
import { bothSides } from './pairs.ts';
import type { ModelLaunch } from './section.ts';
import { SCRIPTS } from './sides.ts';

/** Opens a page in which both sides have loaded the model. */
export async function openBothEngines(launch: ModelLaunch): Promise<RawPage> {
  const page = await openV1Page(launch);
  const load = { v1: () => startV1(page, launch), direct: () => startDirect(page, launch) };
  await bothSides(load, launch.isSwapped);
  return page;
}

/** Opens the page that embeds the API; nothing is loaded yet. */
export function openV1Page({ browser, origin }: ModelLaunch): Promise<RawPage> {
  return browser.open(`${origin}/slashv1/v1.html`);
}

/** Loads the model through the API. */
export async function startV1(page: RawPage, { model, sides }: ModelLaunch): Promise<void> {
  await page.evaluate(call('bench.startV1', model.id, sides.v1));
}

/** Loads the model on the other side. */
export async function startDirect(page: RawPage, { sides, origin }: ModelLaunch): Promise<void> {
  const script = `${origin}/direct/${SCRIPTS[sides.direct.engine]}`;
  await page.evaluate(call('bench.startDirect', script, sides.direct));
}
