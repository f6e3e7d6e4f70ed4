import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { webgpuFlags } from '../../src/node/browser.ts';
import { expectAccessible } from './support/accessible.ts';
import { openConsole } from './support/console.ts';
import { expect, test, withProfile } from './support/fixtures.ts';
import { phrases, recording } from './support/hearing.ts';
import { withTempFolder } from './support/temp-folder.ts';

test.describe.configure({ timeout: 300_000 });

const PACKS = ['tiny-chat', 'tiny-hear'];
const [phrase] = phrases;
if (!phrase) throw new Error('There are no phrases.');

/** Runs in a browser whose microphone hears this WAV file once. */
function withMicrophone(
  sound: Buffer,
  use: (context: { newPage(): Promise<Page> }) => Promise<void>,
) {
  return withTempFolder('microphone', async (folder) => {
    const file = join(folder, 'sound.wav');
    writeFileSync(file, sound);
    await withProfile(use, [
      ...webgpuFlags('software'),
      ...['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'],
      `--use-file-for-fake-audio-capture=${file}%noloop`,
    ]);
  });
}

test('what is said is written behind the text of the question', async ({ closing }) => {
  await withMicrophone(recording(4, [{ at: 1.5, phrase }]), async (profile) => {
    const page = await openConsole(profile, closing, PACKS);
    await page.getByLabel('Your message').fill('He said:');
    await page.getByRole('button', { name: 'Dictate' }).click();
    await expect(page.getByText(/^Recording: ([5-9]|\d\d+) s$/)).toBeVisible();
    await page.getByRole('button', { name: 'End the dictation' }).click();
    await expect(page.getByLabel('Your message')).toHaveValue(`He said: ${phrase.text}`, {
      timeout: 120_000,
    });
    await expect(page.getByRole('button', { name: 'Dictate' })).toBeEnabled();
  });
});

test('silence is no text', async ({ closing }) => {
  await withMicrophone(recording(3, []), async (profile) => {
    const page = await openConsole(profile, closing, PACKS);
    await page.getByRole('button', { name: 'Dictate' }).click();
    await expect(page.getByText(/^Recording: \d+ s$/)).toBeVisible();
    await expectAccessible(page, 'recording');
    await expect(page.getByText(/^Recording: ([2-9]|\d\d+) s$/)).toBeVisible();
    await page.getByRole('button', { name: 'End the dictation' }).click();
    await expect(page.getByText('Nothing was said.')).toBeVisible({ timeout: 120_000 });
    await expect(page.getByLabel('Your message')).toHaveValue('');
  });
});

test('without a microphone, and without permission, it is said what to do', async ({
  fresh,
  closing,
}) => {
  const page = await openConsole(fresh, closing, PACKS);
  await page.getByRole('button', { name: 'Dictate' }).click();
  await expect(page.getByText('No microphone was found.')).toBeVisible();
  await withProfile(
    async (profile) => {
      const other = await openConsole(profile, closing, PACKS);
      const browser = await profile.newCDPSession(other);
      const permission = { name: 'microphone' };
      await browser.send('Browser.setPermission', { permission, setting: 'denied' });
      await other.getByRole('button', { name: 'Dictate' }).click();
      await expect(other.getByText('Allow it in the settings of this site')).toBeVisible();
    },
    [...webgpuFlags('software'), '--use-fake-device-for-media-stream'],
  );
});

test('without a model that hears, nothing can be dictated', async ({ fresh, closing }) => {
  const page = await openConsole(fresh, closing, ['tiny-chat']);
  await expect(page.getByRole('button', { name: /^Model: tiny-chat, ready/ })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Dictate' })).toBeHidden();
});
