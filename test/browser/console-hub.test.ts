import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../scripts/stamp.ts';
import { expectAccessible } from './support/accessible.ts';
import { openConsole } from './support/console.ts';
import { expect, openStarted, test } from './support/fixtures.ts';
import { HUB_LICENSE, serveTestHub } from './support/hub.ts';
import type { ListedRepository } from './support/hub-search.ts';
import { redirect } from './support/redirect.ts';
import { serveRepositories } from './support/repositories.ts';

const OWN = 'someone/tiny-GGUF';
const GGUF = 'tiny-chat-F32.gguf';

const LISTED: ListedRepository[] = [
  {
    id: OWN,
    tags: ['gguf', 'license:apache-2.0'],
    downloads: 1234,
    likes: 5,
    gated: false,
  },
  {
    id: 'someone/Closed-GGUF',
    tags: ['gguf', 'license:llama3.2'],
    pipeline_tag: 'text-generation',
    downloads: 99_999,
    likes: 70,
    gated: 'manual',
  },
  {
    id: 'someone/Embedder-GGUF',
    tags: ['gguf'],
    pipeline_tag: 'feature-extraction',
    downloads: 7,
    likes: 0,
    gated: false,
  },
  {
    id: 'someone/embedder',
    tags: ['onnx', 'license:mit'],
    pipeline_tag: 'sentence-similarity',
    downloads: 8,
    likes: 1,
    gated: false,
  },
];

test.describe.configure({ timeout: 120_000 });

test('a model is searched on the hub, added and about to be downloaded; nothing is asked before', async ({
  fresh,
  closing,
}) => {
  const file = readFileSync(join(ROOT, 'models/packs/tiny-chat', GGUF));
  const repositories = new Map([[OWN, new Map([[GGUF, file]])]]);
  const hub = closing(await serveRepositories(repositories, {}, {}, LISTED));
  await redirect(fresh, { 'https://huggingface.co/': hub.url });
  const page = await openConsole(fresh, closing);
  await page.getByRole('link', { name: 'Models' }).click();
  const section = page.getByRole('region', { name: 'Model hub', exact: true });
  await expect(section).toContainText('only when you search');
  await section.getByLabel('Search the model hub').fill('nothing of that name');
  expect(hub.requests).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(section).toContainText('has no such model');
  await section.getByLabel('Search the model hub').fill('someone/');
  await section.getByRole('button', { name: 'Search' }).click();

  const cards = section.getByRole('listitem');
  // The most downloaded first, without one that is for another task.
  await expect(cards.getByRole('heading')).toHaveText(['Closed-GGUF', OWN.split('/')[1] ?? '']);
  await expect(cards.first()).toContainText('99,999');
  await expect(cards.first()).toContainText('llama3.2');
  await expect(cards.first()).toContainText('agreed to its terms');
  await expect(cards.first().getByRole('button', { name: 'Add' })).toBeDisabled();
  await expect(cards.last()).toContainText('GGUF for llama.cpp');
  await expect(cards.last()).toContainText(HUB_LICENSE);
  await expectAccessible(page, 'found models');
  await cards.last().getByRole('button', { name: 'Add' }).click();
  await section.getByRole('button', { name: 'Download' }).click();
  await expect(section).toContainText(/MB are downloaded/);

  await section.getByLabel('Task on the model hub').selectOption('Embeddings');
  await section.getByRole('button', { name: 'Search' }).click();
  await expect(cards.getByRole('heading')).toHaveText(['embedder']);

  await fresh.setOffline(true);
  await section.getByRole('button', { name: 'Search' }).click();
  await expect(section).toContainText('You are offline');
  await expect(cards).toHaveCount(0);
});

test('a hub without a search says so, and one that cannot be reached too', async ({
  fresh,
  closing,
}) => {
  const hub = closing(await serveTestHub());
  await redirect(fresh, { 'https://huggingface.co/': hub.options.hub });
  const page = await openConsole(fresh, closing);
  await page.getByRole('link', { name: 'Models' }).click();
  const section = page.getByRole('region', { name: 'Model hub', exact: true });
  await section.getByRole('button', { name: 'Search' }).click();
  await expect(section).toContainText('has no search');
  await hub.close();
  await section.getByRole('button', { name: 'Search' }).click();
  await expect(section).toContainText('cannot be reached');
});

test('a site with another hub searches there', async ({ fresh, site, closing }) => {
  const hub = closing(await serveTestHub({ listed: LISTED }));
  const page = await openStarted(fresh, site.url, hub.options);
  const search = () => page.evaluate(() => window.v1.models.search({ query: 'closed' }));
  expect(await search()).toEqual([
    {
      id: 'someone/Closed-GGUF',
      task: 'chat',
      formats: ['gguf'],
      gated: true,
      downloads: 99_999,
      likes: 70,
      license: 'llama3.2',
    },
  ]);
  const filters = new Set(hub.searches.map((asked) => asked.get('filter')));
  expect(filters).toEqual(new Set(['gguf', 'mlc-llm']));
});
