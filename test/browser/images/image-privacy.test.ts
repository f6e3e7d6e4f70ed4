import { complete, postJson, type ChatRequest } from '../support/chat.ts';
import { filesWithText } from '../support/storage/files-with-text.ts';
import { expect, openStarted, test } from '../support/fixtures.ts';
import { about, picture, pictureFile, showing } from '../support/media/seeing.ts';
import { SEER, serveTestSite } from '../support/site.ts';
import { placesWithText } from '../support/storage/stored-text.ts';

/** A word that is found nowhere else. */
const MARKER = 'quincelantern';
const NAME = 'red-circle.png';

test('images and what is said of them leave nothing in storage, files or logs', async ({
  kept,
  closing,
}) => {
  const site = closing(await serveTestSite('/', ['tiny-see']));
  const { context, folder } = kept;
  const logged: string[] = [];
  context.on('console', (message) => logged.push(message.text()));
  const page = await openStarted(context, site.url);
  const asked = showing(about(NAME, 'What is in the picture?'));
  const { choices } = await complete(page, asked as ChatRequest);
  expect(choices[0]?.message.content).toBe('A red circle.');
  await complete(page, showing(about(NAME, MARKER)) as ChatRequest);
  // The response is kept in memory, so that another response may continue it.
  const content = [
    { type: 'input_image', image_url: picture(NAME) },
    { type: 'input_text', text: 'What is in the picture?' },
  ];
  const request = { model: SEER, input: [{ role: 'user', content }], temperature: 0 };
  const response = await postJson(page, '/responses', request);
  expect(response).toMatchObject({ output: [{ content: [{ text: 'A red circle.' }] }] });
  const refused = { ...asked, messages: [...asked.messages, { role: MARKER, content: '' }] };
  expect(await postJson(page, '/chat/completions', refused)).toMatchObject({ error: {} });

  const [, base64 = ''] = picture(NAME).split(',');
  const middle = Math.floor(base64.length / 2);
  const inFile = pictureFile(NAME).subarray(-60, -20);
  const secrets = [
    MARKER,
    'A red circle',
    base64.slice(40, 100),
    base64.slice(middle, middle + 40),
  ];
  for (const secret of [...secrets, inFile]) {
    expect(await placesWithText(page, secret)).toEqual([]);
  }
  expect(logged.filter((line) => secrets.some((secret) => line.includes(secret)))).toEqual([]);
  await context.close();
  for (const secret of [...secrets, inFile]) expect(filesWithText(folder, secret)).toEqual([]);
});
