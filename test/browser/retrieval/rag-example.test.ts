import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright/test';
import { exampleFile, serveExample, type ExampleSite } from '../support/sites/example-site.ts';
import { expect, test } from '../support/fixtures.ts';
import { PACKS } from '../support/site.ts';

const ALL_PACKS = ['tiny-chat', 'tiny-embed', 'tiny-rerank'];
const NOTES = 20;
const PROMPTS_FILE = 'config_sentence_transformers.json';

function serveRag(packs = ALL_PACKS): Promise<ExampleSite> {
  return serveExample('rag', packs);
}

/** Opens the example. `embedded` collects the texts that it has embedded for its index since then. */
async function open(profile: BrowserContext, url: string) {
  const page = await profile.newPage();
  const embedded: string[] = [];
  page.on('request', (request) => {
    if (!request.url().endsWith('/v1/embeddings')) return;
    const { input, input_type: role }: EmbeddingRequest = request.postDataJSON();
    if (role === 'document') embedded.push(...input);
  });
  await page.goto(url);
  return { page, embedded };
}

interface EmbeddingRequest {
  input: string[];
  input_type: string;
}

async function expectStatus(page: Page, text: string): Promise<void> {
  await expect(page.locator('#status')).toHaveText(text);
}

/** The sources of the answer, best first. */
async function ask(page: Page, question: string): Promise<string[]> {
  await page.getByLabel('Question').fill(question);
  await page.getByRole('button', { name: 'Ask' }).click();
  await expectStatus(page, `Answered: ${question}`);
  return page.locator('#sources li').allTextContents();
}

function textFile(name: string, text: string) {
  return { name, mimeType: 'text/markdown', buffer: Buffer.from(text) };
}

function pdfFile(name: string, buffer: Buffer) {
  return { name, mimeType: 'application/pdf', buffer };
}

/** The manifest of tiny-embed in which a file has another content. */
function manifestWith(path: string, content: string): string {
  const folder = PACKS['tiny-embed'] ?? '';
  const sizeAndHash = (bytes: Buffer) =>
    `"size": ${bytes.length},\n          "sha256": "${createHash('sha256').update(bytes).digest('hex')}"`;
  return readFileSync(join(folder, 'manifest.json'), 'utf8').replace(
    sizeAndHash(readFileSync(join(folder, path))),
    sizeAndHash(Buffer.from(content)),
  );
}

test('answers name the right source, also without a network', async ({ fresh, closing }) => {
  const site = closing(await serveRag());
  const { page } = await open(fresh, site.url);
  await expectStatus(page, 'Ready.');
  await expect(page.locator('#notice')).toBeEmpty();
  const [kitchen] = await ask(page, 'What colour did Walter paint the kitchen?');
  expect(kitchen).toBe('notes/home.md › Home › Kitchen\nWalter painted the kitchen green.');
  await expect(page.locator('#answer')).not.toBeEmpty();
  site.online = false;
  for (const [question, source] of [
    ['What is wrong with the notebook computer of Emma?', 'Office › Laptop'],
    ['How much does sushi cost in Porto?', 'Travel › Lunch'],
    ['When does the bakery open on Saturday?', 'Town › Bakery'],
    ['What is the secret word?', 'Home › Alarm'],
  ] as const) {
    const sources = await ask(page, question);
    expect(sources).toHaveLength(4);
    expect(sources[0]).toContain(source);
  }
});

test('only chunks that changed are embedded again', async ({ fresh, closing }) => {
  const site = closing(await serveRag());
  const { page, embedded } = await open(fresh, site.url);
  await expectStatus(page, 'Ready.');
  expect(new Set(embedded.splice(0)).size).toBe(NOTES);
  await page.reload();
  await expectStatus(page, 'Ready.');
  expect(embedded).toEqual([]);
  const path = '/notes/home.md';
  site.changed.set(path, exampleFile('rag', path)?.replace('green', 'yellow') ?? '');
  await page.reload();
  await expectStatus(page, 'Ready.');
  expect(embedded).toEqual(['Home › Kitchen\nWalter painted the kitchen yellow.']);
  const [first] = await ask(page, 'What colour did Walter paint the kitchen?');
  expect(first).toContain('yellow');
});

test('files of the visitor are kept, whatever they contain', async ({ fresh, closing }) => {
  const site = closing(await serveRag());
  const { page, embedded } = await open(fresh, site.url);
  await expectStatus(page, 'Ready.');
  const sentences = Array.from({ length: 60 }, (_, day) => `Rosa bakes ${day} rolls.`).join(' ');
  await page
    .getByLabel('Add files')
    .setInputFiles([
      textFile('empty.md', ''),
      textFile('long.md', `# Long\n\n${sentences}\n\n## Signs\n\n${'?!'.repeat(400)}`),
      textFile('piano.txt', 'Hugo has played the piano for six years.'),
      { name: 'photo.png', mimeType: 'image/png', buffer: Buffer.from('any') },
    ]);
  const notes = page.locator('#notes li');
  await expect(notes.filter({ hasText: 'empty.md, passages: none' })).toBeVisible();
  await expect(notes.filter({ hasText: 'photo.png' })).toHaveCount(0);
  await expect(notes.filter({ hasText: 'long.md, passages: 5' })).toBeVisible();
  const [own] = await ask(page, 'How long has Hugo played the piano?');
  expect(own).toBe('piano.txt › Hugo has played the piano for six years.');
  embedded.length = 0;
  await page.reload();
  await expectStatus(page, 'Ready.');
  expect(embedded).toEqual([]);
  await expect(notes.filter({ hasText: 'piano.txt, passages: 1' })).toBeVisible();
  await page.getByRole('button', { name: 'Remove' }).click();
  await expect(notes).toHaveCount(5);
});

test('PDFs are read, those of the site and of the visitor', async ({ fresh, closing }) => {
  const printed = await fresh.newPage();
  const print = async (html: string) => {
    await printed.setContent(html);
    return printed.pdf();
  };
  const site = closing(await serveRag());
  site.changed.set('/notes/index.json', '["town.pdf"]');
  site.changed.set('/notes/town.pdf', await print('<p>The bakery opens at nine on Sunday.'));
  const piano = await print('<p>Rosa bakes.<p style="break-before: page">Hugo plays the piano.');
  const blank = await print('<canvas></canvas>');
  const { page, embedded } = await open(fresh, site.url);
  await expectStatus(page, 'Ready.');
  expect(embedded).toEqual(['The bakery opens at nine on Sunday.']);
  await page
    .getByLabel('Add files')
    .setInputFiles([
      pdfFile('broken.pdf', Buffer.from('%PDF-1.7 nothing')),
      pdfFile('piano.PDF', piano),
      pdfFile('blank.pdf', blank),
    ]);
  const notes = page.locator('#notes li');
  await expect(notes.filter({ hasText: 'piano.PDF, passages: 1' })).toBeVisible();
  await expect(notes.filter({ hasText: 'blank.pdf, passages: none' })).toBeVisible();
  await expect(page.locator('#notice')).toContainText('broken.pdf cannot be read: ');
  expect(await ask(page, 'Which instrument does Hugo play?')).toEqual([
    'piano.PDF › Rosa bakes.\n\nHugo plays the piano.',
    'notes/town.pdf › The bakery opens at nine on Sunday.',
  ]);
});

test('what reads PDFs is fetched with the first one', async ({ fresh, closing }) => {
  const site = closing(await serveRag());
  const { page } = await open(fresh, site.url);
  await expectStatus(page, 'Ready.');
  const readers: string[] = [];
  page.on('request', (request) => request.url().endsWith('/pdfjs.js') && readers.push('fetched'));
  await page.getByLabel('Add files').setInputFiles(textFile('rolls.md', 'Rosa bakes rolls.'));
  const notes = page.locator('#notes li');
  await expect(notes.filter({ hasText: 'rolls.md, passages: 1' })).toBeVisible();
  expect(readers).toEqual([]);
  await page.getByLabel('Add files').setInputFiles(pdfFile('broken.pdf', Buffer.from('%PDF-1.7')));
  await expect(page.locator('#notice')).toContainText('broken.pdf cannot be read: ');
  expect(readers).toEqual(['fetched']);
});

for (const [said, prompts] of [
  ['no prompts', {}],
  ['a prompt for queries only', { query: 'search: ' }],
] as const) {
  test(`an embedder fits that has ${said}`, async ({ fresh, closing }) => {
    const site = closing(await serveRag());
    const pack = '/packs/tiny-embed';
    const config = JSON.stringify({ prompts });
    site.changed.set(`${pack}/${PROMPTS_FILE}`, config);
    site.changed.set(`${pack}/manifest.json`, manifestWith(PROMPTS_FILE, config));
    const { page } = await open(fresh, site.url);
    await expectStatus(page, 'Ready.');
    const refusals: number[] = [];
    page.on('response', (response) => response.ok() || refusals.push(response.status()));
    const [kitchen] = await ask(page, 'What colour did Walter paint the kitchen?');
    expect(kitchen).toBe('notes/home.md › Home › Kitchen\nWalter painted the kitchen green.');
    // The API still refuses queries if the model has no prompt for them.
    expect(refusals).toEqual('query' in prompts ? [] : [400]);
  });
}

test('an index that a closed tab left unfinished is continued', async ({ fresh, closing }) => {
  const site = closing(await serveRag());
  const first = await open(fresh, site.url);
  await expectStatus(first.page, 'Ready.');
  const count = 200;
  const text = Array.from({ length: count }, (_, day) => `# Day ${day}\n\nIt rains.\n`).join('\n');
  const { page, embedded } = first;
  embedded.length = 0;
  await page.getByLabel('Add files').setInputFiles(textFile('days.md', text));
  await expect.poll(() => embedded.length).toBeGreaterThan(32);
  await page.close();
  const second = await open(fresh, site.url);
  await expectStatus(second.page, 'Ready.');
  await expect(
    second.page.locator('#notes li', { hasText: `days.md, passages: ${count}` }),
  ).toBeVisible();
  expect(second.embedded.length).toBeGreaterThan(0);
  expect(second.embedded.length).toBeLessThanOrEqual(count - 32);
  // Texts that the first tab embedded and stored are not embedded again. Only its last request may be repeated.
  const again = second.embedded.filter((each) => embedded.includes(each));
  expect(again.length).toBeLessThanOrEqual(16);
});

test('a site without a reranker and a chat model still finds the source', async ({
  fresh,
  closing,
}) => {
  const site = closing(await serveRag(['tiny-embed']));
  const { page } = await open(fresh, site.url);
  await expectStatus(page, 'Ready.');
  const notice = page.locator('#notice');
  await expect(notice).toContainText('"rerank". The sources stay in the order of the search.');
  await expect(notice).toContainText('"chat". There are sources, but no answers.');
  await expect(notice).not.toContainText('"embedding"');
  const [first] = await ask(page, 'Which room did Irene paint turquoise?');
  expect(first).toContain('Irene painted the bathroom turquoise.');
  await expect(page.locator('#answer')).toBeEmpty();
});

test('a site without an embedding model says what to add', async ({ fresh, closing }) => {
  const { page } = await open(fresh, closing(await serveRag(['tiny-chat'])).url);
  await expectStatus(page, 'Nothing can be searched.');
  await expect(page.locator('#notice')).toContainText(
    'no pack with a model for "embedding". The notes cannot be searched. Add one: npx slashv1 init',
  );
});

test('a site without notes waits for files', async ({ fresh, closing }) => {
  const site = closing(await serveRag());
  site.changed.set('/notes/index.json', '[]');
  const { page } = await open(fresh, site.url);
  await expectStatus(page, 'There is nothing to search yet: add files.');
  await page
    .getByLabel('Add files')
    .setInputFiles(textFile('cat.md', 'Zoe has a cat called Shadow.'));
  await expectStatus(page, 'Ready.');
  expect(await ask(page, 'Whose cat is called Shadow?')).toEqual([
    'cat.md › Zoe has a cat called Shadow.',
  ]);
});
