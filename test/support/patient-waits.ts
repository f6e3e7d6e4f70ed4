/** Set-up of every test file: a condition may take long to come true on a busy machine. */
import { vi } from 'vitest';

/** Below the time limit of a test, so that the failure names the condition. Milliseconds. */
const LONGEST_MS = 50_000;

const { waitFor, waitUntil } = vi;

vi.waitFor = (check, options) => waitFor(check, patient(options));
vi.waitUntil = (check, options) => waitUntil(check, patient(options));

function patient<T extends object>(options: number | T | undefined) {
  const given = typeof options === 'number' ? { timeout: options } : options;
  return { timeout: LONGEST_MS, ...given };
}
