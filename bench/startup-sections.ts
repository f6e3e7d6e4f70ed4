import { withBrowser } from './browser.ts';
import { measureCold } from './cold.ts';
import { measureDownload } from './download.ts';
import { measured, type Reading } from './figures.ts';
import { GIGABIT } from './line.ts';
import { measureLoad } from './load.ts';
import { measureReload } from './reload.ts';
import { inBrowser, type Launch, type ModelName, type Section } from './section.ts';
import { measureTakeover } from './takeover.ts';

export function reloadSection(model: ModelName): Section {
  return { name: `reload.${model}`, model, measure: (launch) => reload(model, launch) };
}

async function reload(model: ModelName, launch: Launch): Promise<Reading[]> {
  const { ratio, firstTokenMs, loadedMs } = await inBrowser(model, launch, measureReload);
  const at = `reload.${model}`;
  return [
    measured(`${at}.ratio`, ratio),
    measured(`${at}.v1_first_token_ms`, firstTokenMs.v1),
    measured(`${at}.direct_first_token_ms`, firstTokenMs.direct),
    measured(`${at}.v1_loaded_ms`, loadedMs.v1),
    measured(`${at}.direct_loaded_ms`, loadedMs.direct),
  ];
}

export function loadSection(model: ModelName): Section {
  return { name: `load.${model}`, model, measure: (launch) => load(model, launch) };
}

async function load(model: ModelName, launch: Launch): Promise<Reading[]> {
  const { ratio, loadMs, unaskedRatio } = await inBrowser(model, launch, measureLoad);
  const at = `load.${model}`;
  return [
    measured(`${at}.ratio`, ratio),
    measured(`${at}.v1_ms`, loadMs.v1, 'from IndexedDB'),
    measured(`${at}.direct_ms`, loadMs.direct, 'from the Cache API'),
    measured(`${at}.unasked_ratio`, unaskedRatio, 'before the first answer'),
  ];
}

export function takeoverSection(model: ModelName): Section {
  return { name: `takeover.${model}`, model, measure: (launch) => takeover(model, launch) };
}

async function takeover(model: ModelName, launch: Launch): Promise<Reading[]> {
  const result = await inBrowser(model, launch, measureTakeover);
  const at = `takeover.${model}`;
  return [
    measured(`${at}.added_ms`, result.addedMs, 'pause − reload'),
    measured(`${at}.pause_ms`, result.pauseMs, 'closing the engine’s tab to the next text'),
    measured(`${at}.reload_ms`, result.reloadMs, 'start() in a tab that has to load the model'),
    measured(`${at}.warm_pause_ms`, result.warmPauseMs, 'pause if the other tab stands by'),
    measured(`${at}.first_text_ms`, result.firstTextMs, 'request to first text of the answers'),
  ];
}

export async function cold({ origin, pairs = 4 }: Launch): Promise<Reading[]> {
  const { coldMs, warmMs } = await withBrowser((browser) => measureCold(browser, origin, pairs));
  return [
    measured('cold.first_byte_ms', coldMs, 'service worker stopped'),
    measured('cold.warm_first_byte_ms', warmMs, 'service worker running'),
  ];
}

/** Downloads over a fast line, and from this machine, which is faster than any line. */
export async function download({ origin, pairs = 3, isSwapped }: Launch): Promise<Reading[]> {
  return withBrowser(async (browser) => {
    const launch = { browser, origin, pairs, isSwapped };
    const line = await measureDownload(launch, GIGABIT);
    const local = await measureDownload(launch);
    return [
      measured('download.ratio', line.ratio, 'gigabit line'),
      measured('download.v1_mb_per_s', line.megabytesPerSecond.v1),
      measured('download.direct_mb_per_s', line.megabytesPerSecond.direct),
      measured('download.v1_cpu_s_per_gb', line.cpuSecondsPerGigabyte.v1),
      measured('download.direct_cpu_s_per_gb', line.cpuSecondsPerGigabyte.direct),
      measured('download.local_ratio', local.ratio, 'from this machine'),
      measured('download.local_v1_mb_per_s', local.megabytesPerSecond.v1),
      measured('download.local_direct_mb_per_s', local.megabytesPerSecond.direct),
    ];
  });
}
