import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const STYLES = join(import.meta.dirname, '../../../src/console/styles');

/** What may move, and the change of state that it shows. */
const MOTIONS: Record<string, string> = {
  '.icon-button': 'the pointer is over it',
  '.button': 'the pointer is over it',
  '.top-button': 'the pointer is over it',
  '.chip': 'the pointer is over it',
  '.model-row': 'the pointer is over it',
  '.model-button': 'the pointer is over it',
  '.turn-actions': 'the pointer is over the turn',
  '.composer': 'it has the focus',
  '.dot': 'a model is being loaded, or ready',
  '.dialog': 'it opens',
  ".answer[aria-busy='true']": 'a question has been sent',
  '.starting': 'the page takes long to start',
  '.best-offer': 'a better model has been found',
  '.status progress::-webkit-progress-value': 'more has been downloaded',
  '.status progress:indeterminate': 'a model is being loaded',
  '/': 'an answer is being written',
  ".talk-state[data-state='hearing']::before": 'somebody speaks',
};

/** The selectors of all rules that have transitions or animations. */
function moving(css: string): string[] {
  const rules = css.replaceAll(/\/\*[\s\S]*?\*\//g, '').matchAll(/([^{};]+)\{(?=([^{}]*))/g);
  return [...rules].flatMap(([, selector = '', body = '']) =>
    /(?:^|[;\s])(?:animation|transition)(?:-[a-z]+)?:(?!\s*none)/.test(body)
      ? [body.includes("content: '/'") ? '/' : selector.trim()]
      : [],
  );
}

const sheets = readdirSync(STYLES).map((name) => readFileSync(join(STYLES, name), 'utf8'));

test('only what shows a change of state moves', () => {
  expect(sheets.flatMap(moving).toSorted()).toEqual(Object.keys(MOTIONS).toSorted());
});

test('nothing moves where the user prefers reduced motion', () => {
  const base = readFileSync(join(STYLES, 'base.css'), 'utf8');
  const rule =
    /prefers-reduced-motion: reduce\)[\s\S]*animation: none !important;[\s\S]*transition: none !important;/;
  expect(base).toMatch(rule);
});

test.each([
  ['.a { color: red; transition: color 1s; }', ['.a']],
  ['@media (hover: hover) { .b { animation: x 1s; } }', ['.b']],
  ['.c { animation-name: x; }', ['.c']],
  ['.d { animation: none; /* transition: all 1s; */ overscroll-behavior: contain; }', []],
])('what moves is found in %s', (css, selectors) => {
  expect(moving(css)).toEqual(selectors);
});
