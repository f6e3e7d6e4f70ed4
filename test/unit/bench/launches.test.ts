import { expect, test } from 'vitest';
import { measured } from '../../../bench/figures.ts';
import { measureSections } from '../../../bench/launches.ts';
import type { Section } from '../../../bench/section.ts';

const SETUP = { origin: 'http://localhost', packs: [], pairs: 2 };

/** Sections that write down their launches; a swapped one has an exclamation mark. */
function bench(...names: string[]) {
  const order: string[] = [];
  const sections = names.map((name): Section => ({
    name,
    measure({ isSwapped }) {
      order.push(isSwapped ? `${name}!` : name);
      return Promise.resolve([measured(name, order.length)]);
    },
  }));
  const measure = (launches: number, hasTime = () => true) =>
    measureSections({ sections, launches, hasTime, onLaunch: () => undefined }, SETUP);
  return { order, sections, measure };
}

test('the sections take turns, and every second launch of each is swapped', async () => {
  const { order, measure } = bench('a', 'b');
  const { readings, failures, leftOut } = await measure(3);
  expect(order).toEqual(['a', 'b', 'a!', 'b!', 'a', 'b']);
  expect(readings.map(({ key, value }) => [key, value])).toEqual([
    ...[
      ['a', 1],
      ['b', 2],
      ['a', 3],
    ],
    ...[
      ['b', 4],
      ['a', 5],
      ['b', 6],
    ],
  ]);
  expect({ failures, leftOut }).toEqual({ failures: [], leftOut: [] });
});

test('when the time is spent, no launch is started, and every section has had its share', async () => {
  const { order, measure } = bench('a', 'b', 'c');
  const { leftOut } = await measure(6, () => order.length < 5);
  expect(order).toEqual(['a', 'b', 'c', 'a!', 'b!']);
  expect(leftOut).toEqual([]);
});

test('sections that the time is too short for are named', async () => {
  const { order, measure } = bench('a', 'b', 'c');
  const { leftOut } = await measure(6, () => order.length < 1);
  expect(order).toEqual(['a']);
  expect(leftOut).toEqual(['b', 'c']);
});

test('a section whose goals are for counts is launched once', async () => {
  const { order, sections, measure } = bench('size', 'chat');
  Object.assign(sections[0] ?? {}, { isExact: true });
  await measure(3);
  expect(order).toEqual(['size', 'chat', 'chat!', 'chat']);
});

test('a launch that fails is reported, and the others are measured', async () => {
  const { sections, measure } = bench('a', 'b');
  Object.assign(sections[0] ?? {}, { measure: () => Promise.reject(new Error('It crashed.')) });
  const { readings, failures } = await measure(2);
  expect(failures).toEqual(['a, launch 1: It crashed.', 'a, launch 2: It crashed.']);
  expect(readings.map(({ key }) => key)).toEqual(['b', 'b']);
});

test('each launch is announced, and has the setup of the bench', async () => {
  const announced: string[] = [];
  const setups: unknown[] = [];
  const measure: Section['measure'] = (launch) => Promise.resolve((setups.push(launch), []));
  const sections = [{ name: 'a', measure }];
  const onLaunch = (name: string) => announced.push(name);
  await measureSections({ sections, launches: 2, hasTime: () => true, onLaunch }, SETUP);
  expect(announced).toEqual(['a, launch 1', 'a, launch 2']);
  expect(setups).toEqual([
    { ...SETUP, isSwapped: false },
    { ...SETUP, isSwapped: true },
  ]);
});
