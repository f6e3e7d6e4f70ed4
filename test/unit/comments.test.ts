import { expect, test } from 'vitest';
import { sources } from './support/source-lines.ts';

/** Openings of comments that have no head: the reader has to find out what they are about. */
const HEADLESS =
  /^(?:\/\*\*?|\/\/|\*) (?:Of|As|Those|That of|The same|Who|Whose|What of|It|Its|They|Their|Nor|None|Nobody|Nobody[’']s|Also|Another)\b/;

/** The first line of each comment, as `path:line: text`. */
const comments = sources().flatMap(({ path, lines }) =>
  lines.flatMap((line, index) => {
    const before = lines[index - 1] ?? '';
    const isOpening =
      /^\/\*\*? /.test(line) ||
      (line.startsWith('//') && !before.startsWith('//')) ||
      (line.startsWith('* ') && /^\/\*\*?$/.test(before));
    return isOpening ? [`${path}:${index + 1}: ${line}`] : [];
  }),
);

test('a comment begins with what it is about', () => {
  expect(comments.length).toBeGreaterThan(4_000);
  const headless = comments.filter((comment) => HEADLESS.test(comment.replace(/^.*?:\d+: /, '')));
  expect(headless).toEqual([]);
});
