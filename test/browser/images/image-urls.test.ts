import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { refusal } from '../support/chat.ts';
import { expect, openStarted, test } from '../support/fixtures.ts';
import { PACKS, TINY, withTestSite, type TestSite } from '../support/site.ts';

/** Paths of the site's images, by how the site answers them. */
const HERE = { moved: '/moved.png', missing: '/missing.png', fine: '/fine.png' };

/** Runs with a site whose manifest says that its model sees, and which answers for the images in `HERE`. */
function withImages(use: (site: TestSite, cookies: (string | undefined)[]) => Promise<void>) {
  const pack = readFileSync(join(PACKS['tiny-chat'] ?? '', 'manifest.json'), 'utf8');
  const manifest = JSON.stringify({ ...JSON.parse(pack), features: ['vision'] });
  const cookies: (string | undefined)[] = [];
  return withTestSite(['tiny-chat'], (site) => {
    site.intercept = ({ url = '', headers }, response) => {
      if (url === '/packs/tiny-chat/manifest.json') response.end(manifest);
      else if (Object.values(HERE).includes(url)) {
        cookies.push(headers.cookie);
        if (url === HERE.moved) response.writeHead(302, { location: HERE.fine }).end();
        else response.writeHead(url === HERE.missing ? 404 : 200).end();
      } else return false;
      return true;
    };
    return use(site, cookies);
  });
}

for (const serviceWorker of [true, false]) {
  const way = serviceWorker ? 'the service worker' : 'v1.fetch';

  test(`images are fetched from the site alone, without cookies: ${way}`, async ({ fresh }) => {
    await withImages(async (site, cookies) => {
      await withTestSite([], async (other) => {
        const options = serviceWorker ? {} : { serviceWorker };
        const page = await openStarted(fresh, site.url, options);
        const blob = await page.evaluate(() => {
          document.cookie = 'secret=1';
          return URL.createObjectURL(new Blob(['']));
        });
        const ask = (url: string) => {
          const image = { type: 'image_url' as const, image_url: { url } };
          return refusal(page, { model: TINY, messages: [{ role: 'user', content: [image] }] });
        };
        const param = 'messages[0].content[0].image_url';
        for (const url of [`${other.url}fine.png`, blob, `${site.url}v1/models`, 'file:///a.png']) {
          const refused = { status: 400, code: 'image_url_not_allowed', param };
          expect(await ask(url)).toMatchObject(refused);
        }
        expect([...other.requests, ...cookies]).toEqual([]);
        for (const url of [HERE.missing, HERE.moved, site.url + HERE.missing.slice(1)]) {
          const broken = { status: 400, code: 'invalid_image', param };
          expect(await ask(url)).toMatchObject(broken);
        }
        expect(cookies).toEqual([undefined, undefined, undefined]);
        expect(site.requests).not.toContain(HERE.fine);
      });
    });
  });
}
