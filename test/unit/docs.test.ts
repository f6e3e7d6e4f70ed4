import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { relativeLinks } from '../../scripts/build/readme-links.ts';
import { withRelativeLinks } from '../support/relative-links.ts';

const ROOT = join(import.meta.dirname, '../..');

const pages = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.md'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .trim()
  .split('\n');

const manifest = readFileSync(join(ROOT, 'package.json'), 'utf8');

/** The targets of a page's links to files and headings of this repository. */
function localLinks(page: string): string[] {
  const text = withRelativeLinks(readFileSync(join(ROOT, page), 'utf8'), manifest);
  const headings = [...text.matchAll(/\]\((#[^)\s]+)\)/g)].map(([, target = '']) => target);
  return [...relativeLinks(text), ...headings];
}

/** The anchors that GitHub makes of a page's headings. */
function anchors(page: string): string[] {
  const headings = readFileSync(page, 'utf8').matchAll(/^#+ +(.+)$/gm);
  return [...headings].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test('the README links to pages', () => {
  expect(localLinks('README.md').length).toBeGreaterThan(5);
});

describe.each(pages)('%s', (page) => {
  test('links only to files and headings that exist', () => {
    const broken = localLinks(page).filter((target) => {
      const [path = '', anchor] = target.split('#');
      const file = path === '' ? join(ROOT, page) : join(ROOT, dirname(page), path);
      return !existsSync(file) || (anchor !== undefined && !anchors(file).includes(anchor));
    });
    expect(broken).toEqual([]);
  });
});
