import * as v from 'valibot';
import type { RawBrowser } from './raw-browser.ts';
import { call } from './browser.ts';
import { serveDownload } from './download-server.ts';
import { measurePairs, medianOfPairs, mediansBySide, type BySide } from './pairs.ts';

const ID = 'bench/random';

/** Medians over the pairs of one launch. */
export interface DownloadResult {
  /** Bytes per second of an installation ÷ those of plain fetches of the same files. */
  ratio: number;
  megabytesPerSecond: BySide<number>;
  /** Processor time of the whole browser, seconds per gigabyte. */
  cpuSecondsPerGigabyte: BySide<number>;
}

export interface DownloadLaunch {
  browser: RawBrowser;
  origin: string;
  pairs: number;
  isSwapped: boolean;
}

interface TimedDownload {
  ms: number;
  /** Processor time of the whole browser. */
  cpuSeconds: number;
}

/** @param bytesPerSecond - limit of the line; undefined: no limit */
export async function measureDownload(
  { browser, origin, pairs: count, isSwapped }: DownloadLaunch,
  bytesPerSecond?: number,
): Promise<DownloadResult> {
  const server = await serveDownload(ID, bytesPerSecond);
  const page = await browser.open(`${origin}/slashv1/v1.html`);
  const measure = async (expression: string): Promise<TimedDownload> => {
    const before = await browser.cpuSeconds();
    const ms = v.parse(v.number(), await page.evaluate(expression));
    return { ms, cpuSeconds: (await browser.cpuSeconds()) - before };
  };
  const sides = {
    v1: () => measure(call('bench.install', server.url)),
    direct: () => measure(call('bench.fetchAll', server.urls)),
  };
  try {
    await page.evaluate('bench.startEmpty()');
    return resultOf(await measurePairs(count, sides, isSwapped), server.bytes);
  } finally {
    await page.close();
    await server.close();
  }
}

function resultOf(pairs: BySide<TimedDownload>[], bytes: number): DownloadResult {
  return {
    ratio: medianOfPairs(pairs, ({ v1, direct }) => direct.ms / v1.ms),
    megabytesPerSecond: mediansBySide(pairs, ({ ms }) => bytes / 1e3 / ms),
    cpuSecondsPerGigabyte: mediansBySide(pairs, ({ cpuSeconds }) => (cpuSeconds * 1e9) / bytes),
  };
}
