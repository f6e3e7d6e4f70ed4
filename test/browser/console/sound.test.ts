import { readFileSync } from 'node:fs';
import type { Locator } from 'playwright/test';
import { findChromium, webgpuFlags } from '../../../src/node/browser.ts';
import { parseWav } from '../../unit/engine/onnx/speech/audio-parsers.ts';
import { expectAccessible } from '../support/console/accessible.ts';
import { holdAnswers, openConsole, scriptedEngine } from '../support/console/console.ts';
import { expect, test } from '../support/fixtures.ts';
import { HUB_VOICE } from '../support/scripted/catalog.ts';

// A microphone that beeps each second.
const args = [...webgpuFlags('software'), '--use-fake-device-for-media-stream'];
test.use({ launchOptions: { executablePath: findChromium(), args } });

const HEARING = ['tiny-chat', 'tiny-hear'];

/** How many seconds the panel has played, when it has played to the end; otherwise 0. */
function secondsPlayed(panel: Locator): Promise<number> {
  return panel
    .locator('audio')
    .evaluate((audio: HTMLAudioElement) => (audio.ended ? audio.currentTime : 0));
}

test('what is said is written behind the text of the question', async ({ context, closing }) => {
  await context.grantPermissions(['microphone']);
  const page = await openConsole(context, closing, { packs: HEARING, heard: 'Two ships.' });
  await page.getByLabel('Your message').fill('He said:');
  await page.getByRole('button', { name: 'Dictate' }).click();
  await expectAccessible(page, 'recording');
  await expect(page.getByRole('button', { name: 'End the dictation' })).toBeFocused();
  await expect(page.getByText(/^Recording: [1-9]\d* s$/)).toBeVisible();
  await page.getByRole('button', { name: 'End the dictation' }).click();
  await expect(page.getByLabel('Your message')).toHaveValue('He said: Two ships.');
  await expect(page.getByRole('button', { name: 'Dictate' })).toBeEnabled();
  // The request contained a recording of that second.
  const engine = await scriptedEngine(page);
  const file = await engine.evaluate(async () => {
    const bytes = await scripted.api.transcriptions.at(-1)?.job.audio.arrayBuffer();
    return [...new Uint8Array(bytes ?? new ArrayBuffer(0))];
  });
  const seconds = await page.evaluate(async (bytes) => {
    const sound = await new AudioContext().decodeAudioData(Uint8Array.from(bytes).buffer);
    return sound.duration;
  }, file);
  expect(seconds).toBeGreaterThan(0.9);
});

test('silence is no text', async ({ context, closing }) => {
  await context.grantPermissions(['microphone']);
  const page = await openConsole(context, closing, { packs: HEARING });
  await page.getByRole('button', { name: 'Dictate' }).click();
  await expect(page.getByText(/^Recording: \d+ s$/)).toBeVisible();
  await page.getByRole('button', { name: 'End the dictation' }).click();
  await expect(page.getByText('No speech was heard.')).toBeVisible();
  await expect(page.getByLabel('Your message')).toHaveValue('');
});

test('without permission or a microphone, it is said what to do; without a model that hears, there is no button', async ({
  context,
  withoutGpu,
  closing,
}) => {
  const page = await openConsole(context, closing, { packs: HEARING });
  const browser = await context.newCDPSession(page);
  const permission = { name: 'microphone' };
  await browser.send('Browser.setPermission', { permission, setting: 'denied' });
  await page.getByRole('button', { name: 'Dictate' }).click();
  await expect(page.getByText('Allow it in the settings of this site')).toBeVisible();

  const unheard = await openConsole(withoutGpu, closing, { packs: HEARING });
  await unheard.getByRole('button', { name: 'Dictate' }).click();
  await expect(unheard.getByText('No microphone was found.')).toBeVisible();

  const deaf = await openConsole(context, closing);
  await expect(deaf.getByRole('button', { name: /^Model: tiny-chat, ready/ })).toBeVisible();
  await expect(deaf.getByRole('button', { name: 'Dictate' })).toBeHidden();
});

test('the panel speaks a text and saves the audio file', async ({ context, closing }) => {
  const page = await openConsole(context, closing);
  await page.getByRole('button', { name: 'Speak' }).click();
  const panel = page.getByRole('dialog', { name: 'Speak' });
  await panel.getByLabel('Text').fill('Hello there. How are you today?');
  await expect(panel.getByLabel('Voice')).toHaveValue('joe');
  const letGoOn = await holdAnswers(page, 0);
  await panel.getByRole('button', { name: 'Speak' }).click();
  await expect(panel.getByRole('button', { name: 'Stop' })).toBeVisible();
  await letGoOn();
  await expect.poll(() => secondsPlayed(panel)).toBeGreaterThan(0.4);
  await expect(panel.getByRole('button', { name: 'Speak' })).toBeVisible();

  const downloading = page.waitForEvent('download');
  await panel.getByRole('button', { name: 'Save file' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('speech.wav');
  const file = readFileSync(await download.path());
  const { riffBytes, samples, sampleRate } = parseWav(file);
  // The header has the file's length, so the finished speech was saved and not made a second time.
  expect(riffBytes).toBe(file.length - 8);
  expect(samples.length / sampleRate).toBeCloseTo(await secondsPlayed(panel), 1);
  await expect(panel.getByText('Saved.')).toBeVisible();
});

test('a voice of the hub is downloaded from the panel, and speaks', async ({
  context,
  closing,
}) => {
  const page = await openConsole(context, closing);
  await page.getByRole('button', { name: 'Speak' }).click();
  const panel = page.getByRole('dialog', { name: 'Speak' });
  await panel.getByLabel('Model').selectOption(HUB_VOICE);
  await expect(panel).toContainText('Xenova · 38.4 MB · q8');
  await expect(panel.getByRole('button', { name: 'Speak' })).toBeHidden();
  await panel.getByRole('button', { name: 'Download' }).click();
  await expect(panel).toContainText('cc-by-nc-4.0');
  await panel.getByRole('button', { name: 'Cancel' }).click();
  await panel.getByRole('button', { name: 'Download' }).click();
  await panel.getByRole('button', { name: 'Download' }).click();
  await expect(panel.getByRole('button', { name: 'Speak' })).toBeVisible();
  await expect(panel.getByLabel('Model')).toHaveValue(HUB_VOICE);
  await panel.getByLabel('Text').fill('Hallo');
  await panel.getByRole('button', { name: 'Speak' }).click();
  await expect.poll(() => secondsPlayed(panel)).toBeGreaterThan(0.4);
});
