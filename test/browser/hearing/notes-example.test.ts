import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, JSHandle, Page } from 'playwright/test';
import { webgpuFlags } from '../../../src/node/browser.ts';
import { serveExample } from '../support/sites/example-site.ts';
import { expect, test, withProfile } from '../support/fixtures.ts';
import { phrases, recording, said } from '../support/media/hearing.ts';
import { withTempFolder } from '../support/storage/temp-folder.ts';

const ALL_PACKS = ['tiny-chat', 'tiny-hear', 'test-piper'];
/** tiny-chat's answer to everything that it cannot do. */
const SUMMARY = 'I am a small test model and I do not know that.';
const [phrase, other] = phrases;
if (!phrase || !other) throw new Error('There are no phrases.');

async function open(profile: BrowserContext, url: string): Promise<Page> {
  const page = await profile.newPage();
  await page.goto(url);
  return page;
}

async function expectStatus(page: Page, text: string | RegExp): Promise<void> {
  await expect(page.locator('#status')).toHaveText(text);
}

async function choose(page: Page, buffer: Buffer): Promise<void> {
  const file = { name: 'note.wav', mimeType: 'audio/wav', buffer };
  await page.getByLabel('choose a recording').setInputFiles(file);
}

test('a recording is written down, summarised and read aloud, also without a network', async ({
  fresh,
  closing,
}) => {
  const site = closing(await serveExample('notes', ALL_PACKS));
  const page = await open(fresh, site.url);
  await expectStatus(page, 'Ready.');
  await expect(page.locator('#notice')).toBeEmpty();
  let spoken: JSHandle<unknown> = await page.evaluateHandle('');
  for (const each of [phrase, other]) {
    await choose(page, said(each));
    await expect(page.locator('.text').first()).toHaveText(each.text);
    await expectStatus(page, 'Written down.');
    await expect(page.locator('.summary').first()).toHaveText(SUMMARY);
    await page.getByRole('button', { name: 'Read aloud' }).first().click();
    spoken = await page.waitForFunction(
      (last) => {
        const { ended, src } = document.querySelector('audio') ?? {};
        return ended && src !== last && src;
      },
      await spoken.jsonValue(),
    );
    // Everything that the page needs has been fetched by now.
    site.online = false;
  }
  site.online = true;
  await page.reload();
  await expect(page.locator('.text')).toHaveText([other.text, phrase.text]);
  await page.getByRole('button', { name: 'Delete' }).first().click();
  await expect(page.locator('.text')).toHaveText([phrase.text]);
  await page.reload();
  await expect(page.locator('.text')).toHaveText([phrase.text]);
});

test('what is said into the microphone is written down', async ({ closing }) => {
  const site = closing(await serveExample('notes', ALL_PACKS));
  await withTempFolder('microphone', async (folder) => {
    const sound = join(folder, 'sound.wav');
    writeFileSync(sound, recording(4, [{ at: 1.5, phrase }]));
    const microphone = [
      ...['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'],
      `--use-file-for-fake-audio-capture=${sound}%noloop`,
    ];
    await withProfile(
      async (profile) => {
        const page = await open(profile, site.url);
        await expectStatus(page, 'Ready.');
        await page.getByRole('button', { name: 'Record', exact: true }).click();
        await expectStatus(page, /Recording: ([5-9]|\d\d+) s/);
        await page.getByRole('button', { name: 'Stop' }).click();
        await expectStatus(page, 'Written down.');
        await expect(page.locator('.text')).toHaveText(phrase.text);
      },
      [...webgpuFlags('software'), ...microphone],
    );
  });
});

test('what is not a recording, or is silent, is no note', async ({ fresh, closing }) => {
  const site = closing(await serveExample('notes', ALL_PACKS));
  const page = await open(fresh, site.url);
  await expectStatus(page, 'Ready.');
  await choose(page, Buffer.from('Shopping: green apples.'));
  await expectStatus(page, /^Failed: .*not a recording/);
  await choose(page, recording(3, []));
  await expectStatus(page, 'Nothing was said.');
  await expect(page.locator('#notes')).toBeEmpty();
});

test('a site without models says what to add', async ({ fresh, closing }) => {
  const site = closing(await serveExample('notes', ['tiny-chat']));
  const page = await open(fresh, site.url);
  await expectStatus(page, 'Nothing can be written down.');
  const notice = page.locator('#notice');
  await expect(notice).toContainText('no model for "transcription". Recordings cannot');
  await expect(notice).toContainText('no model for "speech". Notes cannot be read aloud.');
  await expect(page.getByRole('button', { name: 'Record', exact: true })).toBeDisabled();
});
