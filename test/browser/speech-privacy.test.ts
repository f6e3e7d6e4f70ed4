import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, launchProfile, openPage, test } from './support/fixtures.ts';
import { filesWithText } from './support/files-with-text.ts';
import { play } from './support/play.ts';
import { PIPER, serveTestSite } from './support/site.ts';
import { placesWithText } from './support/stored-text.ts';

/** A word that is the same in a text and in a URL, and found nowhere else. */
const MARKER = 'quincelantern';

test('of a speech nothing is left in storage, files or logs, though its text was in a URL', async () => {
  test.setTimeout(240_000);
  const site = await serveTestSite('/', ['tiny-chat', 'test-piper']);
  const folder = mkdtempSync(join(tmpdir(), 'slashv1-privacy-'));
  const context = await launchProfile(folder);
  try {
    const logged: string[] = [];
    context.on('console', (message) => logged.push(message.text()));
    const page = await openPage(context, site.url);
    await page.evaluate(() => window.begin());

    const speech = { model: PIPER, voice: 'joe', input: `Say ${MARKER}.` };
    const url = await page.evaluate(async (request) => {
      const answer = await window.client.audio.speech.create(request);
      if ((await answer.arrayBuffer()).byteLength < 10_000) throw new Error('That is no speech.');
      return window.v1.speechUrl(request);
    }, speech);
    expect(url).toContain(MARKER);
    expect(await play(page, url)).toMatchObject({ fault: 0 });

    expect(await placesWithText(page, MARKER)).toEqual([]);
    expect(logged.filter((line) => line.includes(MARKER))).toEqual([]);
    expect(site.requests.filter((path) => path.includes(MARKER))).toEqual([]);
    await context.close();
    expect(filesWithText(folder, MARKER)).toEqual([]);
  } finally {
    await context.close();
    await site.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
});
