import { existsSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder of the repository. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Markdown of the repository that becomes pages, beside that in `docs/`. */
const OTHER_PAGES: Record<string, string> = {
  'bench/README.md': 'benchmarks.md',
  'models/README.md': 'fixtures.md',
  'models/QUANTISATION.md': 'quantisation.md',
  'CHANGELOG.md': 'changelog.md',
  'CONTRIBUTING.md': 'contributing.md',
};

/** Patterns of Markdown that becomes no page. */
export const NO_PAGES = [
  '!(docs|examples|bench|models)/**/*',
  'README.md',
  'examples/*/!(README.md)',
  'examples/*/*/**',
  'models/*/**/*',
];

/** Path of the page that is made of a Markdown file, both relative to their folders. */
export function pageOf(source: string): string {
  const other = OTHER_PAGES[source];
  if (other) return other;
  const [, example] = /^examples\/([^/]+)\/README\.md$/.exec(source) ?? [];
  return example ? `examples/${example}.md` : source.replace(/^docs\//, '');
}

function isSource(path: string): boolean {
  return (
    path.startsWith('docs/') || path in OTHER_PAGES || /^examples\/[^/]+\/README\.md$/.test(path)
  );
}

/**
 * What a link in the Markdown of the repository leads to.
 *
 * @param source - path of the file with the link, relative to the repository
 * @returns an address in the site or elsewhere; or a file of the repository that is no page, and its path
 * @throws Error if there is no such file
 */
export function targetOf(href: string, source: string): { address: string } | { file: string } {
  if (/^([a-z]+:|#|\/)/i.test(href)) return { address: href };
  const [path = '', hash = ''] = href.split(/(?=#)/);
  const target = posix.join(posix.dirname(source), decodeURIComponent(path));
  const file = join(ROOT, target);
  if (!existsSync(file)) throw new Error(`${source} links to ${href}, which does not exist.`);
  const page = statSync(file).isDirectory() ? posix.join(target, 'README.md') : target;
  return isSource(page) ? { address: `/${pageOf(page)}${hash}` } : { file };
}
