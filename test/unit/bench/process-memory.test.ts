import { expect, test } from 'vitest';
import { statusBytes } from '../../../bench/process-memory.ts';

const STATUS = 'Name:\tchromium\nVmPeak:\t 9000 kB\nVmHWM:\t  3000 kB\nVmRSS:\t  2000 kB\n';

test('memory is read from Linux’s report about a process', () => {
  expect(statusBytes(STATUS, 'VmRSS')).toBe(2000 * 1024);
  expect(statusBytes(STATUS, 'VmHWM')).toBe(3000 * 1024);
});

test('a process that is ending has no memory', () => {
  expect(statusBytes('Name:\tchromium\n', 'VmRSS')).toBe(0);
});
