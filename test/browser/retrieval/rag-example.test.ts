import type { Page } from 'playwright/test';
import { pdfFile } from '../../support/pdf-file.ts';
import { exampleFile, serveExample, type ExampleSite } from '../support/sites/example-site.ts';
import { expect, test } from '../support/fixtures.ts';

const ALL_PACKS = ['tiny-chat', 'tiny-embed', 'tiny-rerank'];

function serveRag(packs = ALL_PACKS): Promise<ExampleSite> {
  return serveExample('rag', packs);
}

async function expectStatus(page: Page, text: string): Promise<void> {
  await expect(page.locator('#status')).toHaveText(text);
}

/** Asks a question. @returns the sources of the answer, best first */
async function ask(page: Page, question: string): Promise<string[]> {
  await page.getByLabel('Question').fill(question);
  await page.getByRole('button', { name: 'Ask' }).click();
  await expectStatus(page, `Answered: ${question}`);
  return page.locator('#sources li').allTextContents();
}

function textFile(name: string, text: string) {
  return { name, mimeType: 'text/markdown', buffer: Buffer.from(text) };
}

/** The files that the page stores from now on. */
function storedFrom(page: Page): string[] {
  const stored: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/v1/files')) stored.push('file');
  });
  return stored;
}

test('answers name the right source, also without a network', async ({ fresh, closing }) => {
  const site = closing(await serveRag());
  const page = await fresh.newPage();
  await page.goto(site.url);
  await expectStatus(page, 'Ready.');
  await expect(page.locator('#notes li')).toHaveCount(5);
  const [kitchen] = await ask(page, 'What colour did Walter paint the kitchen?');
  expect(kitchen).toContain('notes/home.md › # Home');
  await expect(page.locator('#answer')).not.toBeEmpty();
  site.online = false;
  for (const [question, source] of [
    ['How much does sushi cost in Porto?', 'notes/travel.md'],
    ['When does the bakery open on Saturday?', 'notes/town.md'],
  ] as const) {
    const [first] = await ask(page, question);
    expect(first).toContain(source);
  }
});

test('notes are stored again only if they changed, and go with the site', async ({
  fresh,
  closing,
}) => {
  const site = closing(await serveRag());
  const page = await fresh.newPage();
  const stored = storedFrom(page);
  await page.goto(site.url);
  await expectStatus(page, 'Ready.');
  expect(stored.splice(0)).toHaveLength(5);
  await page.reload();
  await expectStatus(page, 'Ready.');
  expect(stored).toEqual([]);
  const path = '/notes/home.md';
  site.changed.set(path, exampleFile('rag', path)?.replace('green', 'yellow') ?? '');
  site.changed.set('/notes/index.json', '["home.md", "pets.md"]');
  await page.reload();
  await expectStatus(page, 'Ready.');
  expect(stored).toHaveLength(1);
  await expect(page.locator('#notes li')).toHaveCount(2);
  const [first] = await ask(page, 'What colour did Walter paint the kitchen?');
  expect(first).toContain('yellow');
});

test('files of the visitor are kept, PDFs too, and what cannot be read says why', async ({
  fresh,
  closing,
}) => {
  const site = closing(await serveRag());
  site.changed.set('/notes/index.json', '[]');
  const page = await fresh.newPage();
  const readers: string[] = [];
  fresh.on('request', (request) => request.url().includes('/files-pdf.js') && readers.push('it'));
  await page.goto(site.url);
  await expectStatus(page, 'Ready.');
  await page
    .getByLabel('Add files')
    .setInputFiles(textFile('piano.txt', 'Hugo has played the piano for six years.'));
  const notes = page.locator('#notes li');
  await expect(notes.filter({ hasText: 'piano.txt' })).toBeVisible();
  await expectStatus(page, 'Ready.');
  expect(readers).toEqual([]);
  const pdf = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/pdf', buffer });
  await page
    .getByLabel('Add files')
    .setInputFiles([
      pdf('town.pdf', pdfFile(['The bakery opens at nine on Sunday.'])),
      pdf('scanned.pdf', pdfFile([''])),
      pdf('broken.pdf', Buffer.from('%PDF-1.7 nothing')),
      { name: 'photo.png', mimeType: 'image/png', buffer: Buffer.from('\x89PNG', 'latin1') },
    ]);
  await expect(notes.filter({ hasText: 'scanned.pdf The PDF has no text' })).toBeVisible();
  await expect(notes.filter({ hasText: 'broken.pdf The PDF is damaged.' })).toBeVisible();
  await expect(notes.filter({ hasText: 'photo.png Images are not read.' })).toBeVisible();
  await expectStatus(page, 'Ready.');
  expect(readers).not.toEqual([]);
  expect(await ask(page, 'When does the bakery open on Sunday?')).toContain(
    'town.pdf › The bakery opens at nine on Sunday.',
  );
  await page.reload();
  await expectStatus(page, 'Ready.');
  expect(await ask(page, 'Which instrument does Hugo play?')).toContain(
    'piano.txt › Hugo has played the piano for six years.',
  );
  await page.getByRole('button', { name: 'Remove' }).click();
  await expect(notes).toHaveCount(0);
});

test('a site without an embedder and a reranker finds notes by their words', async ({
  fresh,
  closing,
}) => {
  const site = closing(await serveRag(['tiny-chat']));
  const page = await fresh.newPage();
  await page.goto(site.url);
  await expectStatus(page, 'Ready.');
  const [first] = await ask(page, 'Which room did Irene paint turquoise?');
  expect(first).toContain('Irene painted the bathroom turquoise.');
});

test('a site without PDFs says what brings them', async ({ fresh, closing }) => {
  const site = closing(await serveRag(['tiny-chat']));
  const { intercept } = site;
  site.intercept = (request, response) => {
    if (!request.url?.startsWith('/files-pdf.js')) return intercept?.(request, response) ?? false;
    response.writeHead(404).end();
    return true;
  };
  const page = await fresh.newPage();
  await page.goto(site.url);
  await expectStatus(page, 'Ready.');
  await page
    .getByLabel('Add files')
    .setInputFiles({ name: 'a.pdf', mimeType: 'application/pdf', buffer: pdfFile(['One']) });
  await expect(page.locator('#notes li', { hasText: 'a.pdf' })).toContainText('init --pdf');
});
