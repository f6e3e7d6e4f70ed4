import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { faultOf, whyNotStarted } from '../../../../src/page/worker/served.ts';
import { VERSION_NOTE } from '../../../../src/core/version.ts';

const SCRIPT = new URL('https://site.example/app/engine.js');
const page = new EventTarget();

beforeEach(() => {
  vi.stubGlobal('document', page);
  vi.stubGlobal('location', { hostname: 'site.example' });
});
afterEach(() => void vi.unstubAllGlobals());

function serve(body: BodyInit | null, init?: ResponseInit): void {
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(body, init)));
}

const HTML = { headers: { 'content-type': 'text/html; charset=utf-8' } };

describe('what is wrong with a script', () => {
  test.each<[string, () => void, RegExp]>([
    ['404', () => serve('', { status: 404 }), /engine\.js is missing\. Run `npx slashv1 init`/],
    ['410', () => serve('', { status: 410 }), /engine\.js is missing\. Run `npx slashv1 init`/],
    ['500', () => serve('', { status: 500 }), /its server answers 500/],
    ['401', () => serve('', { status: 401 }), /its server answers 401/],
    ['a page', () => serve('<!doctype html>', HTML), /sends a page in its place\. Run `npx/],
    ['nothing', () => serve(' \n'), /is empty\. Run `npx/],
    ['another script', () => serve('alert(1)'), /is not of slashv1\. Run `npx/],
    [
      'no answer',
      () => vi.stubGlobal('fetch', () => Promise.reject(new Error())),
      /cannot be fetched/,
    ],
    ['an answer that breaks off', () => serve(brokenOff()), /cannot be fetched/],
  ])('is told: %s', async (_, set, message) => {
    set();
    const fault = await faultOf(SCRIPT, 'engine_failed');
    expect(fault).toMatchObject({ code: 'engine_failed', message: expect.stringMatching(message) });
  });

  test('is nothing if it is of slashv1', async () => {
    serve(`${VERSION_NOTE}code`);
    expect(await faultOf(SCRIPT, 'engine_failed')).toBeUndefined();
  });

  test('is not that it is a script of the site', async () => {
    serve('importScripts("slashv1-sw.js")');
    expect(await faultOf(SCRIPT, 'service_worker_failed', false)).toBeUndefined();
    serve('', { status: 404 });
    const fault = await faultOf(SCRIPT, 'service_worker_failed', false);
    expect(fault?.message).toMatch(/is missing\.$/);
  });

  test("is the page's own policy, if that forbids the request", async () => {
    vi.stubGlobal('fetch', () => {
      const violation = { effectiveDirective: 'connect-src' };
      setTimeout(() =>
        page.dispatchEvent(Object.assign(new Event('securitypolicyviolation'), violation)),
      );
      return Promise.reject(new TypeError('Failed to fetch'));
    });
    expect(await faultOf(SCRIPT, 'engine_failed')).toMatchObject({ code: 'blocked_by_policy' });
  });
});

function brokenOff(): ReadableStream {
  return new ReadableStream({ start: (controller) => controller.error(new Error('network')) });
}

describe('the policy of a script', () => {
  const fault = (policy: string) => {
    serve(VERSION_NOTE, { headers: { 'content-security-policy': policy } });
    return faultOf(SCRIPT, 'service_worker_failed');
  };

  test.each([
    "default-src 'none'",
    "default-src 'self'; connect-src 'none'",
    'connect-src',
    'connect-src https://api.example.com',
    "connect-src 'self', default-src 'none'",
    "script-src 'self'; Connect-Src 'report-sample'",
  ])('surely forbids requests: %s', async (policy) => {
    expect(await fault(policy)).toMatchObject({ code: 'blocked_by_policy' });
  });

  test.each([
    "default-src 'self'",
    "default-src 'none'; connect-src 'self' https://huggingface.co",
    'connect-src *',
    'connect-src https:',
    'connect-src https://site.example',
    'connect-src *.example',
    'connect-src site.example:443/app/',
    "script-src 'self'",
    '',
  ])('may allow them: %s', async (policy) => {
    expect(await fault(policy)).toBeUndefined();
  });
});

test.each([
  [
    'Uncaught SyntaxError: Unexpected end of input',
    /engine\.js does not run: Uncaught SyntaxError.*init/,
  ],
  ['', /worker-src 'self'.*slashv1 doctor/],
])('a worker that did not start is explained: %j', async (error, message) => {
  serve(VERSION_NOTE);
  const failure = await whyNotStarted(SCRIPT, error);
  expect(failure).toMatchObject({ code: 'engine_failed', message: expect.stringMatching(message) });
});
