import { afterEach, expect, test, vi } from 'vitest';
import { isIsolated, isolated } from '../../../../sw/worker/isolation.ts';

const CHROME = 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0';
const SAFARI = 'Mozilla/5.0 AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15';
const CHROME_ON_IOS =
  'Mozilla/5.0 AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/156.0 Safari/604.1';

afterEach(() => vi.unstubAllGlobals());

test.each([
  [CHROME, 'credentialless'],
  [FIREFOX, 'credentialless'],
  [SAFARI, 'require-corp'],
  [CHROME_ON_IOS, 'require-corp'],
])('a page gets the headers that its browser knows: %s', async (userAgent, embedder) => {
  vi.stubGlobal('navigator', { userAgent });
  const page = new Response('a page', { status: 203, headers: { 'content-type': 'text/html' } });
  const { status, headers } = await isolated(Promise.resolve(page));
  expect(status).toBe(203);
  expect(Object.fromEntries(headers)).toEqual({
    'content-type': 'text/html',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-embedder-policy': embedder,
  });
});

test('what the server says itself stays', async () => {
  const headers = { 'cross-origin-opener-policy': 'same-origin-allow-popups' };
  const response = await isolated(new Response('', { headers }));
  expect(response.headers.get('cross-origin-opener-policy')).toBe('same-origin-allow-popups');
});

test('a redirect of the server reaches the browser as it is', async () => {
  const redirect = Response.error();
  expect(await isolated(redirect)).toBe(redirect);
});

test.each([
  ['http://site/page', 'document', true],
  ['http://site/engine.js', 'worker', true],
  ['http://site/picture.png', 'image', false],
  ['http://elsewhere/frame', 'iframe', false],
] as const)('%s for a %s: isolated is %s', (url, destination, expected) => {
  vi.stubGlobal('location', { origin: 'http://site' });
  expect(isIsolated({ url, destination } as Request)).toBe(expected);
});
