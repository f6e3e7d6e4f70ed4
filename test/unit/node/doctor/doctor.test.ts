import { expect, onTestFinished, test, vi } from 'vitest';
import { VERSION_NOTE } from '../../../../src/core/version.ts';
import { examine } from '../../../../src/node/doctor/command.ts';
import { serveHandler } from '../support/servers.ts';
import { change, FAULTS, remove } from './faults.ts';
import { libraryOf, serveSite, soundSite, type SentFiles } from './site.ts';

/** What the doctor says of the site: `level: text` each. */
async function findings(
  files: SentFiles,
  { page = '.', ...place }: { page?: string; base?: string; sw?: string } = {},
): Promise<string[]> {
  const url = await serveSite(files);
  const found = await examine(new URL(page, url), place, libraryOf(soundSite()));
  return found.map(({ level, text }) => `${level}: ${text}`);
}

test('of a site without a fault nothing is said', async () => {
  expect(await findings(soundSite())).toEqual([]);
});

test.each(FAULTS)('%s is all that is found', async (_, damage, expected) => {
  const files = soundSite();
  damage(files);
  expect(await findings(files)).toEqual([expect.stringMatching(expected)]);
});

test("the site's own service worker may stand in for sw.js, if it has slashv1", async () => {
  const files = soundSite();
  remove(files, 'sw.js');
  change(files, 'own.js', { body: "importScripts('slashv1-sw.js')" });
  expect(await findings(files, { sw: 'own.js' })).toEqual([]);
  change(files, 'own.js', { body: 'self.oninstall = null' });
  expect(await findings(files, { sw: 'own.js' })).toEqual([
    'problem: /app/own.js has nothing of slashv1: it must call handle() of slashv1/sw.',
  ]);
  expect(await findings(files, { sw: 'other.js' })).toEqual(['problem: /app/other.js is missing.']);
});

test('a redirected service worker is named', async () => {
  const files = soundSite();
  files['old/sw.js'] = { body: '', status: 302, headers: { location: '/app/sw.js' } };
  const found = await findings(files, { base: '/old/' });
  expect(found).toContainEqual(expect.stringContaining('/old/sw.js is redirected'));
});

test('a page outside the scope is named, and the folder of the files is an option', async () => {
  const files = soundSite();
  const { 'app/index.html': page = { body: '' } } = files;
  expect(await findings({ ...files, 'app/deep/index.html': page }, { page: 'deep/' })).toEqual([]);
  const outside = { ...files, 'other/index.html': page };
  const found = await findings(outside, { page: '/other/', base: '/app/' });
  expect(found).toEqual([expect.stringMatching(/^problem: The page is not below http.*\/app\//)]);
});

test('an address without its last slash is followed to where it leads', async () => {
  const files = soundSite();
  files['app'] = { body: '', status: 308, headers: { location: '/app/' } };
  const found = await findings(files, { page: '/app' });
  expect(found).toEqual([expect.stringMatching(/^note: http.*\/app leads to http.*\/app\/$/)]);
});

test('one that leads nowhere is not in the scope', async () => {
  const files = soundSite();
  const { 'app/index.html': page = { body: '' } } = files;
  const headers = { ...page.headers, 'content-type': 'text/html' };
  const found = await findings({ ...files, app: { ...page, headers } }, { page: '/app' });
  expect(found).toEqual([
    expect.stringMatching(/^problem: \/app lacks the slash at its end.*trailingSlash: true/),
  ]);
});

test('the element <base> of a page says where it looks for the files', async () => {
  const files = soundSite();
  const { 'app/index.html': page = { body: '' } } = files;
  const body = '<!doctype html><base href="/app/"><title>A site</title>';
  const elsewhere = { ...files, 'other/index.html': { ...page, body } };
  const found = await findings(elsewhere, { page: '/other/' });
  expect(found).toEqual([expect.stringMatching(/^problem: The page is not below http.*\/app\//)]);
});

test('the list of files that a build has put into the service worker is no change', async () => {
  const files = soundSite();
  change(files, 'sw.js', { body: `${VERSION_NOTE}//[{"url":"index.html"}]//` });
  expect(await findings(files)).toEqual([]);
});

test('the files of another version are not compared, which is said', async () => {
  const files = soundSite();
  for (const [name, { body }] of Object.entries(files)) {
    if (name.endsWith('.js'))
      change(files, name.slice('app/'.length), {
        body: body.replace(VERSION_NOTE, '/*! slashv1 0.1.9 */'),
      });
  }
  expect(await findings(files)).toEqual([
    expect.stringMatching(/^note: The site has slashv1 0\.1\.9\. `npx slashv1@0\.1\.9 doctor`/),
  ]);
});

test('a server that cannot be reached is named', async () => {
  const nowhere = new URL('http://127.0.0.1:9/');
  await expect(examine(nowhere)).rejects.toThrow('http://127.0.0.1:9/ cannot be fetched');
});

/** Serves a page that allows connections to these addresses, of which `ORIGIN` is the site's own. */
async function policyFindings(connect: string): Promise<string[]> {
  const url = await serveHandler(({ headers: { host } }, response) => {
    const policy = `connect-src ${connect.replaceAll('ORIGIN', `http://${host}`)}`;
    response.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': policy });
    response.end('<!doctype html>');
  });
  const found = await examine(new URL(url));
  return found.map(({ text }) => text).filter((text) => text.includes('blocks requests to /v1'));
}

test.each(['ORIGIN', 'ORIGIN/', 'https://other.test ORIGIN', "'self'"])(
  'a policy that allows connections to %s allows the site itself',
  async (connect) => {
    expect(await policyFindings(connect)).toEqual([]);
  },
);

test.each(['ORIGIN1', 'ORIGIN/app/v2/', 'ORIGIN.other.test', 'http://other.test/ORIGIN'])(
  'a policy that allows connections to %s does not allow the site itself',
  async (connect) => {
    expect(await policyFindings(connect)).not.toEqual([]);
  },
);

test.each([
  ['answers nothing', false],
  ['breaks off in silence', true],
])('a server that %s does not hold up the doctor', async (_, hasHeaders) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const clock = setInterval(() => vi.advanceTimersByTime(30_000), 10);
  onTestFinished(() => {
    clearInterval(clock);
    vi.useRealTimers();
  });
  const url = await serveHandler((_request, response) => {
    if (hasHeaders) response.writeHead(200, { 'content-type': 'text/html' }).write('<!doctype');
    onTestFinished(() => void response.destroy());
  });
  await expect(examine(new URL(url))).rejects.toThrow(
    /cannot be fetched: the server sent nothing for 30 seconds/,
  );
});
