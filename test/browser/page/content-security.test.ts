import { say } from '../support/chat.ts';
import { expect, openStarted, test, TINY } from '../support/fixtures.ts';
import { GREETING } from '../support/prompts.ts';

/** Exactly the policy that docs/embed.md asks for. */
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
