import { EMBEDDER, RANKER, TINY } from '../browser/support/site.ts';
import { pdfFile } from '../support/pdf-file.ts';
import { begin, expect, test } from './support/fixtures.ts';

const ANIMALS = 'The cat sleeps on the sofa all day.';
const WEATHER = 'Rain is expected tomorrow, with strong wind.';

test('files and a PDF are stored, indexed, and answered from with file_search', async ({
  site,
  newTab,
}) => {
  const tab = await newTab(site.url);
  await begin(tab, { files: true });
  const answered = await tab.evaluate(
    async ([embedder, ranker, model, animals, pdf]) => {
      for (const id of [embedder, ranker, model]) await window.v1.models.install(id);
      const { client } = window;
      const store = await client.vectorStores.create({ name: 'docs' });
      const bytes = Uint8Array.from(atob(pdf), (character) => character.charCodeAt(0));
      const statuses = [];
      for (const file of [new File([animals], 'animals.md'), new File([bytes], 'weather.pdf')]) {
        const stored = await client.vectorStores.files.uploadAndPoll(store.id, file);
        statuses.push([stored.status, stored.last_error]);
      }
      const response = await client.responses.create({
        model,
        input: 'Will there be rain and wind?',
        max_output_tokens: 20,
        tools: [{ type: 'file_search', vector_store_ids: [store.id] }],
        include: ['file_search_call.results'],
      });
      const [call] = response.output;
      const results = call?.type === 'file_search_call' ? (call.results ?? []) : [];
      return { statuses, found: results.map(({ filename, text }) => [filename, text]) };
    },
    [EMBEDDER, RANKER, TINY, ANIMALS, pdfFile([WEATHER]).toString('base64')] as const,
  );
  expect(answered.statuses).toEqual([
    ['completed', null],
    ['completed', null],
  ]);
  expect(answered.found).toContainEqual(['weather.pdf', WEATHER]);
  expect(answered.found).toContainEqual(['animals.md', ANIMALS]);
});
