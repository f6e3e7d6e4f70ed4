import { filesWithText } from '../support/storage/files-with-text.ts';
import { expect, openStarted, test } from '../support/fixtures.ts';
import { EMBEDDER, RANKER, serveTestSite } from '../support/site.ts';
import { placesWithText } from '../support/storage/stored-text.ts';

/** A word that is found nowhere else. */
const MARKER = 'quincelantern';

test('texts and their vectors leave nothing in storage, files or logs', async ({
  kept,
  closing,
}) => {
  const site = closing(await serveTestSite('/', ['tiny-chat', 'tiny-embed', 'tiny-rerank']));
  const { context, folder } = kept;
  const logged: string[] = [];
  context.on('console', (message) => logged.push(message.text()));
  const page = await openStarted(context, site.url);
  const first = await page.evaluate(
    async ([embedder, ranker, text]) => {
      const { data } = await window.client.embeddings.create({ model: embedder, input: text });
      const documents = [text, 'Bread'];
      const body = { model: ranker, query: text, documents, return_documents: true };
      const ranked = await (await window.post('rerank', body)).text();
      if (!ranked.includes(text)) throw new Error('The documents are not in the answer.');
      return String(data[0]?.embedding[0]);
    },
    [EMBEDDER, RANKER, MARKER] as const,
  );
  expect(first).toMatch(/^-?0\.\d{8}/);
  const secrets = [MARKER, first];
  for (const secret of secrets) expect(await placesWithText(page, secret)).toEqual([]);
  expect(logged.filter((line) => line.includes(MARKER))).toEqual([]);
  await context.close();
  for (const secret of secrets) expect(filesWithText(folder, secret)).toEqual([]);
});
