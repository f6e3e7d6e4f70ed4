import { withBrowser } from './browser.ts';
import { measureCold } from './cold.ts';
import { figure, type Figure } from './figures.ts';
import { measureLoad } from './load.ts';
import { inBrowser, note, type ModelName, type Section, type Surroundings } from './section.ts';
import { measureTakeover } from './takeover.ts';

export function loadSection(model: ModelName): Section {
  return { name: `load.${model}`, model, measure: (where) => load(model, where) };
}

async function load(name: ModelName, where: Surroundings): Promise<Figure[]> {
  const { ratio, loadMs, unaskedRatio } = await inBrowser(name, where, measureLoad);
  return [
    figure(`load.${name}.ratio`, ratio.median, note(ratio)),
    figure(`load.${name}.v1_ms`, loadMs.v1, 'from IndexedDB'),
    figure(`load.${name}.direct_ms`, loadMs.direct, 'from the Cache API'),
    figure(`load.${name}.unasked_ratio`, unaskedRatio.median, note(unaskedRatio, 'never asked')),
  ];
}

export function takeoverSection(model: ModelName): Section {
  return { name: `takeover.${model}`, model, measure: (where) => takeover(model, where) };
}

async function takeover(name: ModelName, where: Surroundings): Promise<Figure[]> {
  const { addedMs, pauseMs, reloadMs, warmPauseMs, firstTextMs } = await inBrowser(
    name,
    where,
    measureTakeover,
  );
  const at = `takeover.${name}`;
  return [
    figure(`${at}.added_ms`, addedMs.median, `beyond the reload; ${note(addedMs)}`),
    figure(`${at}.pause_ms`, pauseMs, 'end of the tab with the engine to the next text'),
    figure(`${at}.reload_ms`, reloadMs, 'start() in a tab that has to load the model'),
    figure(`${at}.warm_pause_ms`, warmPauseMs.median, note(warmPauseMs, 'stood by')),
    figure(`${at}.first_text_ms`, firstTextMs, 'of the same answers, when they were asked for'),
  ];
}

export async function cold({ origin, pairs = 15 }: Surroundings): Promise<Figure[]> {
  const { coldMs, warmMs } = await withBrowser((browser) => measureCold(browser, origin, pairs));
  return [
    figure('cold.first_byte_ms', coldMs.median, note(coldMs, 'service worker stopped')),
    figure('cold.warm_first_byte_ms', warmMs, 'service worker awake'),
  ];
}
