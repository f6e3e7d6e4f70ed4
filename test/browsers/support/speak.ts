import { PIPER } from '../../browser/support/site.ts';
import { speechFile } from '../../browser/support/media/speech-file.ts';
import { loudness, wavSamples } from '../../support/sound/sound.ts';
import type { Tab } from './driver.ts';

/** Speaks a sentence of about two seconds with the openai package. */
export async function speak(tab: Tab): Promise<{ loudness: number; seconds: number }> {
  const input = 'Hello there. How are you today?';
  const file = await speechFile(tab, { model: PIPER, voice: 'joe', input, response_format: 'wav' });
  const { samples, rate } = wavSamples(file);
  return { loudness: loudness(samples), seconds: samples.length / rate };
}
