/** Set-up of every test file: a condition may take long to come true on a busy machine. */
import { vi } from 'vitest';

/** Below the time limit of a test, so that the failure names the condition. Milliseconds. */
const LONGEST_MS = 50_000;

const { waitFor } = vi;

vi.waitFor = (check, options) => {
  const given = typeof options === 'number' ? { timeout: options } : options;
  return waitFor(check, { timeout: LONGEST_MS, ...given });
};
