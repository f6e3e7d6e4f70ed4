import type { Page } from 'playwright/test';
import type { StartOptions } from '../../../src/index.ts';
import { splitTinyGguf, tinyGguf } from '../../support/gguf/tiny-gguf.ts';
import { say } from '../support/chat.ts';
import { fileServer } from '../support/hub/file-server.ts';
import { expect, openStarted, restart, test } from '../support/fixtures.ts';
import { install, listed } from '../support/models.ts';
import { serveRepositories } from '../support/hub/repositories.ts';

const CPU: StartOptions = { engines: ['llamacpp'] };
const REPOSITORY = 'someone/split-GGUF';
const [FIRST, SECOND, THIRD] = splitTinyGguf(3).map(
  (bytes, index) => [`tiny-0000${index + 1}-of-00003.gguf`, bytes] as const,
);
if (!FIRST || !SECOND || !THIRD) throw new Error('The model has not three parts.');
const PARTS = [FIRST, SECOND, THIRD];
const BYTES = PARTS.reduce((sum, [, bytes]) => sum + bytes.length, 0);

/** What the model of random weights writes. */
const write = (page: Page, model: string) => say(page, 'Hello!', { model, max_tokens: 8 });

/** Adds files as a drop of all of them gives them to the page. */
const addFiles = (page: Page, files: readonly (readonly [string, Buffer])[]) =>
  page.evaluate(
    async (sent) => {
      const opened = sent.map(async ([name, base64]) => {
        const blob = await (await fetch(`data:;base64,${base64}`)).blob();
        return new File([blob], name, { lastModified: 1e12 });
      });
      return window.v1.models.add(await Promise.all(opened));
    },
    files.map(([name, bytes]) => [name, bytes.toString('base64')] as const),
  );

/** A page in which the model in one file wrote the answer that its parts have to give, too. */
async function openBeside(context: Parameters<typeof openStarted>[0], url: string, options = CPU) {
  const page = await openStarted(context, url, options);
  await addFiles(page, [['whole.gguf', tinyGguf()]]);
  return { page, expected: await write(page, 'whole') };
}

test('a split GGUF of the hub is installed and answers as in one file, also after a reload', async ({
  fresh,
  site,
  closing,
}) => {
  const hub = closing(await serveRepositories(new Map([[REPOSITORY, new Map(PARTS)]])));
  const options = { ...CPU, hub: hub.url };
  const { page, expected } = await openBeside(fresh, site.url, options);
  expect(await page.evaluate((id) => window.v1.models.add(id), REPOSITORY)).toBe(REPOSITORY);
  expect(await listed(page, REPOSITORY)).toMatchObject({ state: 'available', bytes: BYTES });
  await install(page, REPOSITORY);
  expect(await write(page, REPOSITORY)).toBe(expected);

  await hub.close();
  await restart(page, options);
  expect(await write(page, REPOSITORY)).toBe(expected);
});

test('start() takes the URL of one part, and loads all of them', async ({
  fresh,
  site,
  closing,
}) => {
  const sources = PARTS.map(([name, bytes]) => [`/${name}`, { bytes, etag: '"1"' }] as const);
  const server = closing(await fileServer(Object.fromEntries(sources)));
  const { page, expected } = await openBeside(fresh, site.url);
  await restart(page, { ...CPU, model: `${server.url}${SECOND[0]}` });
  expect(await listed(page, 'tiny')).toMatchObject({ state: 'loaded', bytes: BYTES });
  expect(await write(page, 'tiny')).toBe(expected);
});

test('dropped parts answer in whatever order they come, and one that is missing is named', async ({
  fresh,
  site,
}) => {
  const { page, expected } = await openBeside(fresh, site.url);
  await expect(addFiles(page, [FIRST, THIRD])).rejects.toThrow(
    `A part of the model is missing: ${SECOND[0]}. Add all parts together.`,
  );
  expect(await listed(page, 'tiny')).toBeUndefined();
  expect(await addFiles(page, [THIRD, FIRST, SECOND])).toBe('tiny');
  expect(await write(page, 'tiny')).toBe(expected);
});

test('a repository that lacks a part is refused by its list, before any file is read', async ({
  fresh,
  site,
  closing,
}) => {
  const files = new Map([FIRST, THIRD]);
  const hub = closing(await serveRepositories(new Map([[REPOSITORY, files]])));
  const page = await openStarted(fresh, site.url, { ...CPU, hub: hub.url });
  await expect(page.evaluate((id) => window.v1.models.add(id), REPOSITORY)).rejects.toThrow(
    `${REPOSITORY} cannot be run: of a split GGUF file, this part is missing: ${SECOND[0]}.`,
  );
  expect(hub.traffic.requests).toEqual([]);
  expect(await listed(page, REPOSITORY)).toBeUndefined();
});

test('a server that lacks a part is an error that names it, after no more than a header was asked for', async ({
  fresh,
  site,
  closing,
}) => {
  const sources = [FIRST, THIRD].map(([name, bytes]) => [`/${name}`, { bytes }] as const);
  const server = closing(await fileServer(Object.fromEntries(sources)));
  const page = await openStarted(fresh, site.url, CPU);
  await expect(
    page.evaluate((url) => window.v1.models.add(url), `${server.url}${FIRST[0]}`),
  ).rejects.toThrow(
    `The model '${server.url}${SECOND[0]}' does not exist or is not installed. Its server answered 404.`,
  );
  expect(server.traffic.requests).toEqual([{ range: 'bytes=0-1048575', ifRange: undefined }]);
  expect(await listed(page, 'tiny')).toBeUndefined();
});
