import { say } from '../support/chat.ts';
import { begin, expect, openPage, openStarted, restart, test, TINY } from '../support/fixtures.ts';
import { GREETING } from '../support/prompts.ts';
import { isolate, serveTestSite, type Intercept } from '../support/site.ts';
import { startFailure } from '../support/browser/start-failure.ts';

/** Exactly the policy that docs/content-security.md asks for. */
const POLICY =
  "default-src 'none'; connect-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'";

test('a site with a strict content security policy is served', async ({ fresh, site }) => {
  site.intercept = (_request, response) => {
    response.setHeader('content-security-policy', POLICY);
    return false;
  };
  try {
    const page = await openStarted(fresh, site.url, { model: TINY });
    expect(await say(page, 'Hello!')).toBe(GREETING);
  } finally {
    site.intercept = undefined;
  }
});

test('a site whose policy blocks WebAssembly is told what it must allow, and works once it does', async ({
  fresh,
  closing,
}) => {
  const site = closing(await serveTestSite('/', ['tiny-chat']));
  site.intercept = withPolicy(POLICY.replace(" 'wasm-unsafe-eval'", ''));
  const page = await openPage(fresh, site.url);
  expect(await startFailure(page, { engines: ['llamacpp'], model: TINY })).toEqual([
    expect.any(String),
    expect.stringContaining("script-src 'wasm-unsafe-eval'"),
  ]);
  site.intercept = withPolicy(POLICY);
  await restart(page, { engines: ['llamacpp'], model: TINY });
  expect(await say(page, 'Hello!')).toBe(GREETING);
});

/** A policy with Trusted Types: all scripts, and the pages' and the workers' own ones, are named by `slashv1` only. */
const TRUSTED = `${POLICY}; require-trusted-types-for 'script'; trusted-types slashv1`;

/** Sends a policy, and isolates the page, so that models compute in several workers. */
const withPolicy =
  (policy: string): Intercept =>
  (request, response) => {
    response.setHeader('content-security-policy', policy);
    return isolate(request, response);
  };

test('a site that requires Trusted Types and names the policy of slashv1 is served', async ({
  fresh,
  closing,
}) => {
  const site = closing(await serveTestSite('/', ['tiny-chat']));
  site.intercept = withPolicy(TRUSTED);
  const page = await openPage(fresh, site.url);
  await begin(page, { model: TINY, threads: 2 });
  expect(await say(page, 'Hello!')).toBe(GREETING);
});

test('a site that requires Trusted Types and forbids that policy is told its name', async ({
  fresh,
  closing,
}) => {
  const site = closing(await serveTestSite('/', []));
  site.intercept = withPolicy(TRUSTED.replace('trusted-types slashv1', 'trusted-types other'));
  const page = await openPage(fresh, site.url);
  expect(await startFailure(page)).toEqual([
    'blocked_by_policy',
    expect.stringContaining('add slashv1 to its trusted-types'),
  ]);
  const scopes = page.evaluate(
    async () => (await navigator.serviceWorker.getRegistrations()).length,
  );
  expect(await scopes).toBe(0);
});
