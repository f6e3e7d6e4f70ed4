import * as v from 'valibot';
import type { RawBrowser } from '../test/browser/support/raw-browser.ts';
import { call } from './browser.ts';
import { serveDownload } from './download-server.ts';
import { measurePairs, median, spread, type Pair, type Spread } from './statistics.ts';

const ID = 'bench/random';

export interface DownloadResult {
  /** Bytes a second of an installation ÷ those of plain fetches of the same files, by pairs. */
  ratio: Spread;
  megabytesPerSecond: Pair<number>;
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
  const milliseconds = async (expression: string) =>
    v.parse(v.number(), await page.evaluate(expression));
  try {
    await page.evaluate('bench.startEmpty()');
    const pairs = await measurePairs(count, {
      v1: () => milliseconds(call('bench.install', server.url)),
      direct: () => milliseconds(call('bench.fetchAll', server.urls)),
    });
    const speed = (ms: number[]) => server.bytes / 1e3 / median(ms);
    return {
      ratio: spread(pairs.map(({ v1, direct }) => direct / v1)),
      megabytesPerSecond: {
        v1: speed(pairs.map(({ v1 }) => v1)),
        direct: speed(pairs.map(({ direct }) => direct)),
      },
    };
  } finally {
    await page.close();
    await server.close();
  }
}
