import { readFileSync } from 'node:fs';
import type { Locator } from 'playwright/test';
import { parseWav } from '../unit/engine/onnx/speech/audio-parsers.ts';
import { randomVoices } from '../support/random-voices.ts';
import { QUICK_SITE, serveFolder } from './support/built-sites.ts';
import { expect, test } from './support/fixtures.ts';
import { redirect } from './support/redirect.ts';
import { serveRepositories } from './support/repositories.ts';

test.describe.configure({ timeout: 400_000 });

/** How many seconds the panel has played, when it has played to the end; otherwise 0. */
function secondsPlayed(panel: Locator): Promise<number> {
  return panel
    .locator('audio')
    .evaluate((audio: HTMLAudioElement) => (audio.ended ? audio.currentTime : 0));
}

test('the panel speaks a text and saves the audio file', async ({ fresh, closing }) => {
  const server = closing(await serveFolder(QUICK_SITE));
  const page = await fresh.newPage();
  await page.goto(server.origin);

  await page.getByRole('button', { name: 'Speak' }).click();
  const panel = page.getByRole('dialog', { name: 'Speak' });
  await panel.getByLabel('Text').fill('Hello there. How are you today?');
  await expect(panel.getByLabel('Voice')).toHaveValue('joe');
  await panel.getByRole('button', { name: 'Speak' }).click();
  await expect(panel.getByRole('button', { name: 'Stop' })).toBeVisible();
  await expect.poll(() => secondsPlayed(panel), { timeout: 120_000 }).toBeGreaterThan(1);
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

test('a voice of the hub is downloaded from the panel, and speaks', async ({ fresh, closing }) => {
  const server = closing(await serveFolder(QUICK_SITE));
  const hub = closing(await serveRepositories(randomVoices([], [])));
  await redirect(fresh, { 'https://huggingface.co/': hub.url });
  const page = await fresh.newPage();
  await page.goto(server.origin);

  await page.getByRole('button', { name: 'Speak' }).click();
  const panel = page.getByRole('dialog', { name: 'Speak' });
  await panel.getByLabel('Model').selectOption('Xenova/mms-tts-deu');
  await expect(panel).toContainText('Xenova · 38.4 MB · q8');
  await expect(panel.getByRole('button', { name: 'Speak' })).toBeHidden();
  await panel.getByRole('button', { name: 'Download' }).click();
  await expect(panel).toContainText('cc-by-nc-4.0');
  await panel.getByRole('button', { name: 'Cancel' }).click();
  expect(hub.requests).toEqual([]);
  await panel.getByRole('button', { name: 'Download' }).click();
  await panel.getByRole('button', { name: 'Download' }).click();
  await expect(panel.getByRole('button', { name: 'Speak' })).toBeVisible({ timeout: 60_000 });
  await expect(panel.getByLabel('Model')).toHaveValue('Xenova/mms-tts-deu');
  await panel.getByLabel('Text').fill('Hallo');
  await panel.getByRole('button', { name: 'Speak' }).click();
  await expect.poll(() => secondsPlayed(panel), { timeout: 120_000 }).toBeGreaterThan(0);
});
