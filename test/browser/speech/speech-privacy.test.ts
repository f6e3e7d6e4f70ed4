import { filesWithText } from '../support/storage/files-with-text.ts';
import { expect, openStarted, test } from '../support/fixtures.ts';
import { play } from '../support/media/play.ts';
import { PIPER, serveTestSite } from '../support/site.ts';
import { placesWithText } from '../support/storage/stored-text.ts';

/** A word that is the same in a text and in a URL, and that is found nowhere else. */
const MARKER = 'quincelantern';

test('a speech leaves nothing in storage, files or logs, although its text was in a URL', async ({
  kept,
  closing,
}) => {
  test.setTimeout(240_000);
  const site = closing(await serveTestSite('/', ['tiny-chat', 'test-piper']));
  const { context, folder } = kept;
  const logged: string[] = [];
  context.on('console', (message) => logged.push(message.text()));
  const page = await openStarted(context, site.url);

  const speech = { model: PIPER, voice: 'joe', input: `Say ${MARKER}.` };
  const url = await page.evaluate(async (request) => {
    const answer = await window.client.audio.speech.create(request);
    if ((await answer.arrayBuffer()).byteLength < 10_000) throw new Error('There is no speech.');
    return window.v1.speechUrl(request);
  }, speech);
  expect(url).toContain(MARKER);
  expect(await play(page, url)).toMatchObject({ fault: 0 });

  expect(await placesWithText(page, MARKER)).toEqual([]);
  expect(logged.filter((line) => line.includes(MARKER))).toEqual([]);
  expect(site.requests.filter((path) => path.includes(MARKER))).toEqual([]);
  await context.close();
  expect(filesWithText(folder, MARKER)).toEqual([]);
});
