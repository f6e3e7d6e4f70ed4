import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Page, Request } from 'playwright/test';
import { expectAccessible } from '../support/console/accessible.ts';
import {
  ask,
  lastAnswer,
  losing,
  openConsole,
  scriptedEngine,
  send,
} from '../support/console/console.ts';
import { expect, test } from '../support/fixtures.ts';
import { EMBEDDER, RANKER } from '../support/site.ts';
import { makeTempFolder, removeTempFolder } from '../support/storage/temp-folder.ts';

/** A text that is far longer than the model's 2,048 tokens, with one fact. */
const FACT = 'The lighthouse of Tarn is 41 metres high.';
const LONG = [FACT, 'Blue and green. '.repeat(900), 'Red and white. '.repeat(900)].join('\n\n');

async function attach(page: Page, name: string, text: string): Promise<void> {
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Attach files' }).click();
  const buffer = Buffer.from(text);
  await (await choosing).setFiles({ name, mimeType: 'text/plain', buffer });
}

function draft(page: Page) {
  return page
    .getByRole('region', { name: 'Your question' })
    .getByRole('list', { name: 'Attached' });
}

/** Drops a folder `notes` with these texts on the page. */
async function dropFolder(page: Page, texts: Record<string, string>): Promise<void> {
  const parent = makeTempFolder('dropped');
  const folder = join(parent, 'notes');
  for (const [path, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  await expect(page.getByRole('button', { name: 'Attach a folder' })).toBeVisible();
  const browser = await page.context().newCDPSession(page);
  const data = { items: [], files: [folder], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await browser.send('Input.dispatchDragEvent', { type, x: 400, y: 300, data });
  }
  await expect(draft(page)).toContainText('searched for each question');
  removeTempFolder(parent);
}

/** Deletes a vector store with the key of a request. */
async function deleteStore(page: Page, asked: Request, store: string): Promise<void> {
  const url = asked.url().replace('responses', `vector_stores/${store}`);
  const { authorization = '' } = asked.headers();
  const status = await page.evaluate(
    async ([path, key]) =>
      (await fetch(path, { method: 'DELETE', headers: { authorization: key } })).status,
    [url, authorization] as const,
  );
  expect(status).toBe(200);
}

test('a file that does not fit is stored, searched and cited, in each question of the chat', async ({
  context,
  closing,
}) => {
  const page = await openConsole(context, closing);
  await attach(page, 'tarn.txt', LONG);
  const chip = draft(page).getByRole('listitem');
  await expect(chip).toContainText('searched for each question');
  await expect(page.getByText('Found by words only.')).toBeVisible();
  await expect(page.getByText(/^Too long/)).toBeHidden();
  await expectAccessible(page, 'a stored file');

  const asking = page.waitForRequest((request) => request.url().endsWith('/v1/responses'));
  await send(page, 'How high is the lighthouse of Tarn?');
  const asked = await asking;
  const { tools, store } = asked.postDataJSON();
  expect(tools).toMatchObject([{ type: 'file_search', vector_store_ids: [expect.any(String)] }]);
  expect(store).toBe(false);
  const answer = await lastAnswer(page);
  // This model repeats what was found, with its marks.
  await expect(answer).toContainText('The function says:');
  await answer.getByText(/passages? found in your files/).click();
  await expect(answer.getByRole('blockquote').first()).toContainText(FACT);
  await expect(answer.locator('sup').first()).toBeVisible();
  await expectAccessible(page, 'a cited answer');

  const again = page.waitForRequest((request) => request.url().endsWith('/v1/responses'));
  await send(page, 'What is the height of the lighthouse of Tarn?');
  expect((await again).postDataJSON()).toMatchObject({ tools: [{ type: 'file_search' }] });

  // If the files are gone, the chat says so, and takes them again.
  const [searched] = tools[0].vector_store_ids;
  await deleteStore(page, asked, searched);
  await page.reload();
  await expect(page.getByRole('article', { name: 'You' }).first()).toContainText('tarn.txt');
  const gone = page.getByRole('alert').filter({ hasText: 'tarn.txt is no longer stored' });
  const remove = gone.getByRole('button', { name: 'Remove tarn.txt' });
  await expect(remove).toBeVisible();
  await send(page, 'How high is the lighthouse of Tarn?');
  await expect(gone.getByRole('button', { name: 'Ask without it' })).toBeVisible();
  await expectAccessible(page, 'gone files');
  const choosing = page.waitForEvent('filechooser');
  await gone.getByRole('button', { name: 'Attach again' }).click();
  const buffer = Buffer.from(LONG);
  const answering = page.waitForRequest((request) => request.url().endsWith('/v1/responses'));
  await (await choosing).setFiles({ name: 'tarn.txt', mimeType: 'text/plain', buffer });
  await expect(gone).toBeHidden();
  await expect(await lastAnswer(page)).toContainText('41 metres');

  const last = await answering;
  const [stored] = last.postDataJSON().tools[0].vector_store_ids;
  await deleteStore(page, last, stored);
  await page.reload();
  await remove.click();
  await expect(gone).toBeHidden();
  await expect(page.getByRole('article', { name: 'You' }).first()).not.toContainText('tarn.txt');
});

test('if what finds gone files cannot be fetched, a question that searches them fails, and is asked again', async ({
  context,
  closing,
}) => {
  const { lost, find } = losing(/gone-files/);
  const page = await openConsole(context, closing, { lost });
  await attach(page, 'tarn.txt', LONG);
  await expect(draft(page)).toContainText('searched for each question');
  const asking = page.waitForRequest((request) => request.url().endsWith('/v1/responses'));
  await send(page, 'How high is the lighthouse of Tarn?');
  const asked = await asking;
  await lastAnswer(page);
  const [store] = asked.postDataJSON().tools[0].vector_store_ids;
  await deleteStore(page, asked, store);
  await send(page, 'How high is it?');
  const retry = page.getByRole('button', { name: 'Retry' });
  await expect(retry).toBeVisible();
  await expect(await lastAnswer(page)).toContainText(store);

  find();
  await retry.click();
  const gone = page.getByRole('alert').filter({ hasText: 'tarn.txt is no longer stored' });
  await expect(gone.getByRole('button', { name: 'Ask without it' })).toBeVisible();
});

test('a stored file that is removed from the draft is deleted; a file without text says why it is not read', async ({
  context,
  closing,
}) => {
  const page = await openConsole(context, closing);
  await attach(page, 'tarn.txt', LONG);
  await expect(draft(page)).toContainText('searched for each question');
  const deleted = page.waitForRequest(
    (request) => request.method() === 'DELETE' && /\/vector_stores\/[^/]+$/.test(request.url()),
  );
  await draft(page).getByRole('button', { name: 'Remove tarn.txt' }).click();
  await deleted;
  await expect(draft(page)).toBeHidden();
  await attach(page, 'broken.docx', 'no archive');
  await expect(draft(page)).toContainText('searched for each question');
  await attach(page, 'empty.docx', 'PK\u0003\u0004');
  await expect(page.getByText(/DOCX/)).toBeVisible();
});

test('if what stores files, or asks with them, cannot be fetched, that is said', async ({
  context,
  closing,
}) => {
  let lostNow = /stored-files|helped-answer/;
  const lost = { test: (path: string) => lostNow.test(path) };
  const page = await openConsole(context, closing, { lost });
  await attach(page, 'tarn.txt', LONG);
  await expect(page.getByText('could not be fetched')).toBeVisible();
  lostNow = /helped-answer/;
  await attach(page, 'tarn.txt', LONG);
  await expect(draft(page)).toContainText('searched for each question');
  await send(page, 'How high is the lighthouse of Tarn?');
  const failure = (await lastAnswer(page)).getByRole('alert');
  await expect(failure).toContainText('could not be fetched');
  lostNow = /no file/;
  await failure.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('article', { name: 'Answer' })).toContainText('41 metres');
});

test('a private chat stores nothing: a long file says that it is too long', async ({
  context,
  closing,
}) => {
  const page = await openConsole(context, closing);
  await page.goto(`${page.url().replace(/#.*/, '')}#/chat/private`);
  await attach(page, 'tarn.txt', LONG);
  await expect(page.getByText(/^(Far t|T)oo long/)).toBeVisible();
  await attach(page, 'paper.docx', 'text');
  await expect(page.getByText('a chat that is not kept stores no files')).toBeVisible();
});

test('the files of a folder that is dropped or chosen are searched together, without hidden ones', async ({
  context,
  closing,
}) => {
  const page = await openConsole(context, closing);
  await dropFolder(page, {
    'one.md': 'The mill of Ost was built in 1712.',
    'deep/two.md': 'The bridge of Ost has nine arches.',
    '.git/config': 'hidden',
  });
  await expect(draft(page)).toContainText('notes2 files, searched for each question');
  await send(page, 'How many arches has the bridge of Ost?');
  const answer = await lastAnswer(page);
  await expect(answer).toContainText('nine arches');
  await answer.getByText(/passages? found in your files/).click();
  await expect(answer.locator('cite').first()).toContainText('two.md');

  // Playwright gives a folder's files only from a disk.
  await page.evaluate(() => {
    const files = [
      ['notes/one.md', 'The mill of Ost was built in 1712.'],
      ['notes/deep/two.md', 'The bridge of Ost has nine arches.'],
      ['notes/.git/config', 'hidden'],
    ].map(([path = '', text = '']) => {
      const file = new File([text], path.slice(path.lastIndexOf('/') + 1));
      return Object.defineProperty(file, 'webkitRelativePath', { value: path });
    });
    const { click } = HTMLInputElement.prototype;
    HTMLInputElement.prototype.click = function give() {
      if (!this.webkitdirectory) return click.call(this);
      Object.defineProperty(this, 'files', { value: files });
      this.dispatchEvent(new Event('change'));
    };
  });
  await page.getByRole('button', { name: 'Attach a folder' }).click();
  await expect(draft(page)).toContainText('notes2 files, searched for each question');
});

test('with an embedder, files are searched by meaning, too; with a reranker, the best passage comes first', async ({
  context,
  closing,
}) => {
  const packs = ['tiny-chat', 'tiny-embed', 'tiny-rerank'];
  const page = await openConsole(context, closing, { packs });
  // The engine knows its models then.
  await expect(page.getByLabel('Your message')).toBeVisible();
  const engine = await scriptedEngine(page);
  const install = (model: string) =>
    engine.evaluate((id) => scripted.models.install(id, new AbortController().signal), model);
  await install(EMBEDDER);
  await dropFolder(page, {
    'often.md': 'Tarn lighthouse, lighthouse, lighthouse.',
    'whole.md': `The lighthouse of Tarn is tall. ${'Blue and green. '.repeat(80)}`,
    'tall.md': 'Tall, tall.',
  });
  await expect(draft(page)).toContainText('notes3 files, searched for each question');
  await expect(page.getByText('Found by words only.')).toBeHidden();
  const embedded = await engine.evaluate(() => scripted.api.files.embedded);
  expect(embedded).toContain('Tall, tall.');

  const best = async () => (await ask(page, 'Tarn lighthouse tall?')).locator('cite').first();
  await expect(await best()).toHaveText('often.md');
  await install(RANKER);
  await expect(await best()).toHaveText('whole.md');
});
