/**
 * `npm run sizes`: gzipped sizes of what a page's visitor downloads before any model; fails above the
 * limits. Another folder than `dist/lib` may be named.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ROOT } from './stamp.ts';

/** Kilobytes of 1000 bytes, gzipped. */
export const LIMITS: Record<string, number> = { 'sw.js': 40, 'slashv1.js': 11 };

export interface Size {
  file: string;
  /** As LIMITS. */
  gzipKb: number;
  limitKb: number;
}

/** Of each file in the folder that has a limit. */
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
