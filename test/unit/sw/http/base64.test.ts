import { expect, test } from 'vitest';
import { base64 } from '../../../../sw/http/base64.ts';

const BYTES = Uint8Array.from({ length: 256 }, (_, byte) => byte);
const EXPECTED = Buffer.from(BYTES).toString('base64');

test('bytes are the same base64 with and without the browser’s own encoder', () => {
  const without = Object.defineProperty(BYTES.slice(), 'toBase64', { value: undefined });
  expect(base64(without)).toBe(EXPECTED);
  const own = Object.defineProperty(BYTES.slice(), 'toBase64', { value: () => EXPECTED });
  expect(base64(own)).toBe(EXPECTED);
});
