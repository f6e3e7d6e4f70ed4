import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { VERSION } from '../../../../src/core/version.ts';
import { start } from '../../../../src/index.ts';
import {
  closeBrowser,
  FAKE_DEVICE,
  openBrowser,
  type FakeBrowser,
} from '../../support/fakes/fake-browser.ts';
import { FakeEngineWorker } from '../../support/fakes/fake-engine-worker.ts';
import { scriptedEngine } from '../../support/fakes/scripted-engine.ts';

const OLD = '/*! slashv1 0.1.9 */\n';

let browser: FakeBrowser;
const warn = vi.spyOn(console, 'warn');

beforeEach(() => {
  browser = openBrowser();
  warn.mockReset();
  FakeEngineWorker.engine = scriptedEngine(async function* (job) {
    if (job.op === 'device') yield { type: 'device', device: FAKE_DEVICE };
  });
});

afterEach(closeBrowser);

/** The only warning, once there is one. */
async function warning(): Promise<string> {
  await vi.waitFor(() => expect(warn).toHaveBeenCalledTimes(1));
  return String(warn.mock.calls[0]?.[0]);
}

test('files of the same version cause no warning, and are not fetched for it', async () => {
  const fetched = vi.spyOn(globalThis, 'fetch');
  const v1 = await start();
  expect(warn).not.toHaveBeenCalled();
  expect(fetched.mock.calls).toEqual([[new URL(`${browser.base}v1/.slashv1`), expect.anything()]]);
  await v1.stop();
});

test('a service worker that was not updated with the page library is named, with the command', async () => {
  browser.site.version = '0.1.9';
  browser.site.script = OLD;
  const v1 = await start();
  expect(await warning()).toBe(
    `slashv1: ${browser.base}sw.js is of 0.1.9, the page library of ${VERSION}. ` +
      'Run `npx slashv1 init`, or build the site again.',
  );
  await v1.stop();
});

test.each(['0.10.0', '0.2.1', '10.0.0'])(
  'a page that is older than its site, of %s, is to be reloaded',
  async (version) => {
    browser.site.version = version;
    browser.site.script = `/*! slashv1 ${version} */\n`;
    const v1 = await start();
    expect(await warning()).toMatch(
      /Reload the page; if that does not help, build the site again\.$/,
    );
    await v1.stop();
  },
);

test('so is an engine', async () => {
  FakeEngineWorker.version = '0.1.9';
  browser.site.script = OLD;
  const v1 = await start();
  expect(await warning()).toContain(`${browser.base}engine.js is of 0.1.9`);
  await v1.stop();
});

test('nothing is said of a worker that an update is about to replace', async () => {
  browser.site.version = '0.1.9';
  const fetched = vi.spyOn(globalThis, 'fetch');
  const v1 = await start();
  await vi.waitFor(() => expect(fetched).toHaveBeenCalledTimes(2));
  await fetched.mock.results[1]?.value;
  expect(warn).not.toHaveBeenCalled();
  await v1.stop();
});

test('nothing is said if the server cannot be reached', async () => {
  FakeEngineWorker.version = '0.1.9';
  const { fetch } = globalThis;
  const refused = vi.fn(() => Promise.reject(new TypeError('offline')));
  vi.stubGlobal('fetch', (url: URL) => (url.search === '' ? fetch(url) : refused()));
  const v1 = await start();
  await vi.waitFor(() => expect(refused).toHaveBeenCalled());
  expect(warn).not.toHaveBeenCalled();
  await v1.stop();
});

test.each([
  ['the file is old', OLD, 'sw.js is of 0.1.9'],
  ['the file is not of slashv1', 'self.oninstall = null', 'sw.js is of another version'],
  ['other tabs keep an older one', `/*! slashv1 ${VERSION} */`, 'close them'],
])('start fails with a service worker of another protocol: %s', async (_, script, message) => {
  browser.site.protocol = 'older';
  browser.site.script = script;
  await expect(start()).rejects.toMatchObject({
    code: 'service_worker_failed',
    message: expect.stringContaining(message),
  });
});
