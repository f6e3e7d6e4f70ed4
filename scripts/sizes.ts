/**
 * `npm run sizes [-- FOLDER SITE]`: prints the gzipped sizes of the files that a page's visitor downloads before any model,
 * and of what the console's page loads first, and fails if one is above its limit. The folders are `dist/lib` and
 * `dist/site` by default.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ROOT } from './build/stamp.ts';

/** The largest allowed size of each file: kilobytes of 1000 bytes, gzipped. */
export const LIMITS: Record<string, number> = {
  'sw.js': 6,
  'sw-api.js': 68.2,
  'slashv1.js': 14.2,
  'connect.js': 3,
};

/** What the page of the console names: its scripts and styles. Fonts and the icon are not compressed. */
const CONSOLE_LIMIT = 120;

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

/** Size of the console's page with the scripts and styles that it names. */
export function measureConsole(site: string): Size {
  const page = readFileSync(join(site, 'index.html'), 'utf8');
  const named = [...page.matchAll(/(?:src|href)="\.\/([^"]+\.(?:js|css))"/g)].map(
    ([, path]) => path,
  );
  if (named.length < 2) throw new Error(`${site}/index.html names no scripts and styles.`);
  const files = ['index.html', ...named.filter((path) => path !== undefined)];
  const sizes = files.map((file) => gzipSync(readFileSync(join(site, file)), { level: 9 }).length);
  const gzipKb = sizes.reduce((sum, size) => sum + size, 0) / 1000;
  return { file: 'console', gzipKb, limitKb: CONSOLE_LIMIT };
}

function describeSize({ file, gzipKb, limitKb }: Size): string {
  const verdict = gzipKb > limitKb ? 'too large' : 'ok';
  return `${file}: ${gzipKb.toFixed(1)} kB gzipped, at most ${limitKb} kB: ${verdict}`;
}

if (import.meta.main) {
  const [, , library = join(ROOT, 'dist/lib'), site = join(ROOT, 'dist/site')] = process.argv;
  const sizes = [...measureSizes(library), measureConsole(site)];
  for (const size of sizes) process.stdout.write(`${describeSize(size)}\n`);
  process.exitCode = sizes.some(({ gzipKb, limitKb }) => gzipKb > limitKb) ? 1 : 0;
}
