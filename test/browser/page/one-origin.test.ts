import type { Page } from 'playwright/test';
import { expect, openStarted, test, TINY } from '../support/fixtures.ts';
import { alsoServe, EMBEDDER, serveTestSite } from '../support/site.ts';

/** What the page's engine knows, and what its service worker answers with. */
async function modelsOf(page: Page): Promise<{ embedded: string[]; served: string[] }> {
  return page.evaluate(async () => {
    const models = await window.v1.models.list();
    const { data } = await window.client.models.list();
    const embedded = models.flatMap(({ id, embedded: isEmbedded }) => (isEmbedded ? id : []));
    return { embedded, served: data.map(({ id }) => id) };
  });
}

test('two sites on one origin have nothing to do with each other', async ({ fresh, closing }) => {
  const site = closing(await serveTestSite('/one/', ['tiny-chat']));
  site.intercept = alsoServe('/two/', ['tiny-embed']);
  const one = await openStarted(fresh, site.url);
  const two = await openStarted(fresh, new URL('/two/', site.url).href);
  for (const page of [one, two, one, two]) {
    const own = page === one ? TINY : EMBEDDER;
    expect(await modelsOf(page)).toEqual({ embedded: [own], served: [own] });
  }
  // The service worker of the second site asks for an engine again.
  const answer = await two.evaluate(async (model) => {
    const { data } = await window.client.embeddings.create({ model, input: 'Bread' });
    return data[0]?.embedding.length;
  }, EMBEDDER);
  expect(answer).toBe(128);
});
