/**
 * Set-up of every file of unit tests: files share modules and globals, because loading the modules again for each file
 * takes longer than the tests. What a file has replaced is undone after it.
 */
import { afterAll, vi } from 'vitest';

const found = Object.getOwnPropertyDescriptors(globalThis);

afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  // A spy on a stub leaves the stub behind if the two end in this order.
  for (const key of Reflect.ownKeys(found)) {
    const [was, is] = [Reflect.get(found, key), Object.getOwnPropertyDescriptor(globalThis, key)];
    if (was.configurable && (was.value !== is?.value || was.get !== is?.get)) {
      Object.defineProperty(globalThis, key, was);
    }
  }
});
