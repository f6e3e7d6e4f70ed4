import { expect, test } from 'vitest';
import { benchOptions, selectSections } from '../../../bench/command-line.ts';
import { SECTIONS } from '../../../bench/sections.ts';
import { GOALS } from '../../../bench/goals.ts';

const names = (...only: string[]) => selectSections(SECTIONS, only).map(({ name }) => name);

test('without options all is measured, six times, but for what takes very long', () => {
  expect(benchOptions([])).toEqual({ launches: 6, json: false, check: false });
  const onRequest = SECTIONS.filter(({ isOnRequest }) => isOnRequest);
  expect(onRequest.map(({ name }) => name)).toEqual(['embed.long']);
  expect(selectSections(SECTIONS, undefined)).toEqual(
    SECTIONS.filter((section) => !onRequest.includes(section)),
  );
});

test('options are read', () => {
  const text = '--only size,chat.tiny --pairs 3 --launches 12 --minutes 2.5 --json --check';
  expect(benchOptions(text.split(' '))).toEqual({
    only: ['size', 'chat.tiny'],
    pairs: 3,
    launches: 12,
    minutes: 2.5,
    json: true,
    check: true,
  });
});

test.each([
  ['--launches', '0', 'a whole number, at least 1'],
  ['--launches', '2.5', 'a whole number, at least 1'],
  ['--pairs', 'two', 'a whole number, at least 1'],
  ['--minutes', '0', 'a number above 0'],
  ['--minutes', 'x', 'a number above 0'],
])('%s %s is refused', (option, value, wanted) => {
  expect(() => benchOptions([option, value])).toThrow(`${option} ${value}: it must be ${wanted}.`);
});

test('a section is selected by its name, by the beginning of its name or by a figure', () => {
  expect(names('chat.tiny')).toEqual(['chat.tiny']);
  expect(names('chat')).toEqual(['chat.tiny', 'chat.smollm2']);
  expect(names('reload.tiny.ratio', 'size')).toEqual(['size', 'reload.tiny']);
  expect(names('embed')).toEqual(['embed.tiny', 'embed.minilm']);
  expect(names('embed.long')).toEqual(['embed.long']);
  expect(names('embed.long.2048_ratio')).toEqual(['embed.long']);
});

test('a name that selects nothing is refused with the names of all sections', () => {
  expect(() => names('chat', 'nothing')).toThrow(
    /^--only nothing: there is no such section\. The sections are size, api,.*$/,
  );
});

test('each goal belongs to a section', () => {
  for (const key of Object.keys(GOALS)) expect(names(key)).toHaveLength(1);
});
