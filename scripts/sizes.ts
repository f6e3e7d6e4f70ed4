/**
 * `npm run sizes [-- FOLDER]`: prints the gzipped sizes of the files that a page's visitor downloads before
 * any model, and fails if one is above its limit. The folder is `dist/lib` by default.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ROOT } from './build/stamp.ts';

/** The largest allowed size of each file: kilobytes of 1000 bytes, gzipped. */
export const LIMITS: Record<string, number> = {
  'sw.js': 6,
  'sw-api.js': 68,
  'slashv1.js': 14.1,
  'connect.js': 3,
};

export interface Size {
  file: string;
  /** In the unit of `LIMITS`. */
  gzipKb: number;
  limitKb: number;
}

/** Sizes of the files that have a limit. Throws if one is missing in the folder. */
export function measureSizes(folder: string): Size[] {
  return Object.entries(LIMITS).map(([file, limitKb]) => {
    const gzipped = gzipSync(readFileSync(join(folder, file)), { level: 9 });
    return { file, gzipKb: gzipped.length / 1000, limitKb };
  });
}

function describeSize({ file, gzipKb, limitKb }: Size): string {
  const verdict = gzipKb > limitKb ? 'too large' : 'ok';
  return `${file}: ${gzipKb.toFixed(1)} kB gzipped, at most ${limitKb} kB: ${verdict}`;
}

if (import.meta.main) {
  const sizes = measureSizes(process.argv[2] ?? join(ROOT, 'dist/lib'));
  for (const size of sizes) process.stdout.write(`${describeSize(size)}\n`);
  process.exitCode = sizes.some(({ gzipKb, limitKb }) => gzipKb > limitKb) ? 1 : 0;
}
