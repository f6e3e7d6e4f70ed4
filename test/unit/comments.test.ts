import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const SOURCES = '{src,sw,scripts,bench,models,test,examples,docs/.vitepress}/**/*.{ts,tsx,mjs}';
const LEFT_OUT = /(^|\/)(node_modules|built|dist|generated|\.cache|cache)\//;

/** Openings of comments that have no head: the reader has to find out what they are about. */
const HEADLESS =
  /^(?:\/\*\*?|\/\/|\*) (?:Of|As|Those|That of|The same|Who|Whose|What of|It|Its|They|Their|Nor|None|Nobody|Nobody[’']s|Also|Another)\b/;

/** The first line of each comment, as `path:line: text`. */
function openings(path: string): string[] {
  const lines = readFileSync(join(ROOT, path), 'utf8')
    .split('\n')
    .map((line) => line.trim());
  return lines.flatMap((line, index) => {
    const before = lines[index - 1] ?? '';
    const isOpening =
      /^\/\*\*? /.test(line) ||
      (line.startsWith('//') && !before.startsWith('//')) ||
      (line.startsWith('* ') && /^\/\*\*?$/.test(before));
    return isOpening ? [`${path}:${index + 1}: ${line}`] : [];
  });
}

const comments = globSync(SOURCES, { cwd: ROOT })
  .filter((path) => !LEFT_OUT.test(path))
  .flatMap(openings);

test('a comment begins with what it is about', () => {
  expect(comments.length).toBeGreaterThan(4_000);
  const headless = comments.filter((comment) => HEADLESS.test(comment.replace(/^.*?:\d+: /, '')));
  expect(headless).toEqual([]);
});
