import { complete, type ChatRequest } from '../browser/support/chat.ts';
import { unload } from '../browser/support/models.ts';
import { about, showing } from '../browser/support/media/seeing.ts';
import { SEER } from '../browser/support/site.ts';
import { begin, expect, test } from './support/fixtures.ts';

test('a model names the figure in a picture, also without the network once it was downloaded', async ({
  site,
  newTab,
}) => {
  const tab = await newTab(site.url);
  await begin(tab);
  const ask = async (name: string, text: string) => {
    const { choices } = await complete(tab, showing(about(name, text)) as ChatRequest);
    return choices[0]?.message.content;
  };
  expect(await ask('red-circle.png', 'What is in the picture?')).toBe('A red circle.');
  await unload(tab, SEER);
  site.online = false;
  expect(await ask('blue-star.png', 'What shape is it?')).toBe('A star.');
});
