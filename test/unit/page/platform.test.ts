import { expect, test } from 'vitest';
import { isPhone } from '../../../src/page/platform.ts';

const WEBKIT = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const MAC = `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} Version/26.0 Safari/605.1.15`;

test.each<[string, boolean, Parameters<typeof isPhone>[0]]>([
  [
    'an Android phone',
    true,
    { userAgent: `Mozilla/5.0 (Linux; Android 14) ${WEBKIT}`, maxTouchPoints: 5 },
  ],
  [
    'an iPhone',
    true,
    { userAgent: `Mozilla/5.0 (iPhone; CPU iPhone OS 26_0) ${WEBKIT}`, maxTouchPoints: 5 },
  ],
  ['an iPad, which calls itself a Mac', true, { userAgent: MAC, maxTouchPoints: 5 }],
  ['a Mac', false, { userAgent: MAC, maxTouchPoints: 0 }],
  [
    'a Windows tablet',
    false,
    { userAgent: `Mozilla/5.0 (Windows NT 10.0) ${WEBKIT}`, maxTouchPoints: 10 },
  ],
  [
    'what Chromium calls mobile',
    true,
    { userAgent: '', maxTouchPoints: 0, userAgentData: { mobile: true } },
  ],
])('%s: %s', (_, expected, facts) => {
  expect(isPhone(facts)).toBe(expected);
});
