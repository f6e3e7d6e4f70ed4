import * as v from 'valibot';
import type { RawBrowser } from './raw-browser.ts';
import { call } from './browser.ts';
import { serveDownload } from './download-server.ts';
import { measurePairs, median, spread, type Pair, type Spread } from './statistics.ts';

const ID = 'bench/random';

export interface DownloadResult {
  /** Bytes a second of an installation ÷ those of plain fetches of the same files, by pairs. */
  ratio: Spread;
  megabytesPerSecond: Pair<number>;
  /** Processor time of the whole browser for a gigabyte, seconds. */
  cpuSecondsPerGigabyte: Pair<number>;
}

interface Cost {
  ms: number;
  cpuSeconds: number;
}

/** @param bytesPerSecond - of the line; undefined: as fast as it goes */
export async function measureDownload(
  browser: RawBrowser,
  origin: string,
  count: number,
  bytesPerSecond?: number,
): Promise<DownloadResult> {
  const server = await serveDownload(ID, bytesPerSecond);
  const page = await browser.open(`${origin}/slashv1/v1.html`, '"bench" in window');
  const measure = async (expression: string) => {
    const before = await browser.cpuSeconds();
    const ms = v.parse(v.number(), await page.evaluate(expression));
    return { ms, cpuSeconds: (await browser.cpuSeconds()) - before };
  };
  try {
    await page.evaluate('bench.startEmpty()');
    const pairs = await measurePairs(count, {
      v1: () => measure(call('bench.install', server.url)),
      direct: () => measure(call('bench.fetchAll', server.urls)),
    });
    const medians = (value: (of: Cost) => number): Pair<number> => ({
      v1: median(pairs.map(({ v1 }) => value(v1))),
      direct: median(pairs.map(({ direct }) => value(direct))),
    });
    return {
      ratio: spread(pairs.map(({ v1, direct }) => direct.ms / v1.ms)),
      megabytesPerSecond: medians(({ ms }) => server.bytes / 1e3 / ms),
      cpuSecondsPerGigabyte: medians(({ cpuSeconds }) => (cpuSeconds * 1e9) / server.bytes),
    };
  } finally {
    await page.close();
    await server.close();
  }
}
