import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findChromium, webgpuFlags } from '../../../src/node/browser.ts';
import { WavFile } from '../../../src/engine/onnx/speech/sound/wav-file.ts';
import { expectAccessible } from '../support/console/accessible.ts';
import { ask, holdAnswers, openConsole, scriptedEngine } from '../support/console/console.ts';
import { expect, test } from '../support/fixtures.ts';

const RATE = 16_000;

/** A microphone that hears a second of sound, then four of silence, again and again. */
function microphone(): string {
  const samples = Float32Array.from({ length: 5 * RATE }, (_, index) =>
    index < RATE ? Math.sin(index / 8) / 2 : 0,
  );
  const wav = new WavFile(RATE);
  const bytes = wav.encode(samples);
  const { header } = wav.finish();
  const file = join(mkdtempSync(join(tmpdir(), 'microphone-')), 'voice.wav');
  writeFileSync(file, Buffer.concat([header, bytes]));
  return file;
}

const args = [
  ...webgpuFlags('software'),
  '--use-fake-device-for-media-stream',
  `--use-file-for-fake-audio-capture=${microphone()}`,
];
test.use({ launchOptions: { executablePath: findChromium(), args } });

const PACKS = ['tiny-chat', 'tiny-hear', 'test-piper'];

test('who talks is answered by voice, and interrupts the answer by talking again', async ({
  context,
  closing,
}) => {
  await context.grantPermissions(['microphone']);
  const page = await openConsole(context, closing, { packs: PACKS, heard: 'Count to 30.' });
  const letGoOn = await holdAnswers(page, 3);
  await page.getByRole('button', { name: 'Talk' }).click();
  const dialog = page.getByRole('dialog', { name: 'Talk' });
  await expect(dialog).toContainText('Count to 30.');
  await expect(dialog).toContainText('1 2 3');
  // The next sound stops the answer that waits, and is a question of its own.
  await expect(page.locator('article.answer').first()).toContainText('Stopped');
  await expect.poll(() => page.locator('article.question').count()).toBeGreaterThan(1);
  await letGoOn();
  await expect(dialog.getByRole('status')).toHaveText('Speaking');
  await expectAccessible(page, 'talking');
  await dialog.getByRole('button', { name: 'End' }).click();
  await expect(dialog).toBeHidden();
  const count = await page.locator('article.question').count();
  await expect(await ask(page, 'Hello')).toBeVisible();
  await expect(page.locator('article.question')).toHaveCount(count + 1);
});

test('without a voice or a model that hears, there is no such button', async ({
  context,
  closing,
}) => {
  const page = await openConsole(context, closing, { packs: ['tiny-chat', 'test-piper'] });
  await expect(page.getByRole('button', { name: /^Model: tiny-chat, ready/ })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Talk' })).toBeHidden();
});

test('an answer is read aloud below it with one click, sentence by sentence', async ({
  context,
  closing,
}) => {
  const page = await openConsole(context, closing, { packs: PACKS });
  const sentences = ['The tides of the sea follow the moon around. ', 'They rise twice each day'];
  const answer = await ask(page, `Say ${sentences.join('')}.`);
  const engine = await scriptedEngine(page);
  await answer.getByRole('button', { name: 'Read aloud' }).click();
  const player = page.getByRole('group', { name: 'Read aloud' });
  const audio = player.locator('audio');
  await expect
    .poll(() => audio.evaluate((each: HTMLAudioElement) => each.ended && each.currentTime))
    .toBeGreaterThan(0.4);
  // A browser begins late with a file that is still being made, so each sentence is one. Each is made once.
  const spoken = () => engine.evaluate(() => scripted.api.speeches.map(({ job }) => job.text));
  await expect.poll(spoken).toEqual(sentences);
  await expectAccessible(page, 'reading aloud');
  await player.getByRole('button', { name: 'Stop reading aloud' }).click();
  await expect(player).toBeHidden();
});
