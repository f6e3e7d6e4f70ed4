import { filesWithText } from '../support/storage/files-with-text.ts';
import { expect, openStarted, test } from '../support/fixtures.ts';
import { phrases, said, transcribe } from '../support/media/hearing.ts';
import { serveTestSite } from '../support/site.ts';
import { placesWithText } from '../support/storage/stored-text.ts';

const [phrase] = phrases;
if (!phrase) throw new Error('There is no phrase.');

/** 16-bit samples that spell a word which is found nowhere else. */
const MARKER = 'quincelantern samples';

/** The phrase. Its last samples are the marker: less than a millisecond of noise. */
const sound = said(phrase);
sound.write(MARKER, sound.length - MARKER.length, 'latin1');

test('a recording leaves nothing in storage, files or logs: no text, and none of its bytes', async ({
  kept,
  closing,
}) => {
  const site = closing(await serveTestSite('/', ['tiny-chat', 'tiny-hear']));
  const { context, folder } = kept;
  const logged: string[] = [];
  context.on('console', (message) => logged.push(message.text()));
  const page = await openStarted(context, site.url);
  for (const path of ['audio/transcriptions', 'audio/translations']) {
    const { text } = await transcribe(page, sound, { response_format: 'verbose_json' }, path);
    expect(JSON.parse(text)).toMatchObject({ text: phrase.text });
  }
  // A file that cannot be read to its end must not leave traces, either.
  await transcribe(page, Buffer.concat([Buffer.from('fLaC'), sound]));
  const secrets = [MARKER, phrase.text];
  for (const secret of secrets) expect(await placesWithText(page, secret)).toEqual([]);
  expect(logged.filter((line) => secrets.some((secret) => line.includes(secret)))).toEqual([]);
  await context.close();
  for (const secret of secrets) expect(filesWithText(folder, secret)).toEqual([]);
});
