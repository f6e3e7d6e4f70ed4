import type { BrowserContext, Page } from 'playwright/test';
import { say } from '../support/chat.ts';
import { begin, expect, openPage, test, TINY } from '../support/fixtures.ts';
import { GREETING } from '../support/prompts.ts';
import { alsoServe, serveTestSite, type Intercept, type TestSite } from '../support/site.ts';
import { startFailure } from '../support/browser/start-failure.ts';

const PAGE = (script: string) =>
  `<!doctype html><link rel="icon" href="data:," /><script type="module" src="${script}"></script>`;

/** Answers all paths below `folder` with the test page of that folder, as single-page apps do. */
function singlePage(folder: string): Intercept {
  return ({ url = '/' }, response) => {
    const isFile = /\.\w+$/.test(url.replace(/\?.*/, ''));
    const isPage = `${url}/`.startsWith(folder) && (!isFile || url.includes('/route/'));
    if (isPage) {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(PAGE(`${folder}page.js`));
    }
    return isPage;
  };
}

/** Answers with the first of `intercepts` that does. */
const firstOf =
  (...intercepts: Intercept[]): Intercept =>
  (request, response) =>
    intercepts.some((intercept) => intercept(request, response));

/** A page that was never visited, nor any other of its site. */
async function visit(profile: BrowserContext, site: TestSite, path: string): Promise<Page> {
  return openPage(profile, new URL(path, site.url).href);
}

const baseURL = (page: Page) => page.evaluate(() => window.v1.baseURL);

test.describe('a first visit to a deep route, without the option base,', () => {
  test('finds the top folder', async ({ fresh, closing }) => {
    const site = closing(await serveTestSite('/', ['tiny-chat']));
    site.intercept = singlePage('/');
    const page = await visit(fresh, site, '/some/route/');
    await begin(page, { model: TINY });
    expect(await baseURL(page)).toBe(`${site.url}v1`);
    expect(await say(page, 'Hello!')).toBe(GREETING);
  });

  test('finds a folder between', async ({ fresh, closing }) => {
    const site = closing(await serveTestSite('/', ['tiny-chat']));
    site.intercept = firstOf(singlePage('/repo/'), alsoServe('/repo/', ['tiny-chat']));
    const page = await visit(fresh, site, '/repo/some/route/7');
    await begin(page);
    expect(await baseURL(page)).toBe(`${site.url}repo/v1`);
  });
});

test('the page of the top folder asks for no file to find its base', async ({ fresh, closing }) => {
  const site = closing(await serveTestSite('/', ['tiny-chat']));
  const asked: string[] = [];
  site.intercept = ({ method, url }) => {
    asked.push(`${method} ${url}`);
    return false;
  };
  await begin(await openPage(fresh, site.url));
  expect(asked).not.toContain('HEAD /engine.js');
});

for (const base of [undefined, '/repo/']) {
  const option = base === undefined ? 'without the option base' : 'with the option base';
  test(`a page whose address lacks the slash at its end is told so, ${option}`, async ({
    fresh,
    closing,
  }) => {
    const site = closing(await serveTestSite('/nowhere/', []));
    site.intercept = firstOf(singlePage('/repo/'), alsoServe('/repo/', ['tiny-chat']));
    const page = await visit(fresh, site, '/repo');
    const [code, message] = await startFailure(page, base === undefined ? {} : { base });
    expect(code).toBe('service_worker_failed');
    expect(message).toContain('lacks the slash at its end');
    expect(message).toContain('trailingSlash: true');
  });
}
