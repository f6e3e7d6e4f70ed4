import { readFileSync } from 'node:fs';
import type { Page } from 'playwright/test';
import { ask, openConsole } from '../support/console/console.ts';
import { manyPages } from '../support/console/many-pages.ts';
import type {} from '../../../src/console/app/shared.ts';
import { expect, test } from '../support/fixtures.ts';
import { pictureKey } from '../support/scripted/said.ts';
import { pictureFile } from '../support/media/seeing.ts';

const SEEING = {
  packs: ['tiny-see', 'tiny-chat'],
  pictures: {
    [pictureKey(pictureFile('red-circle.png'))]: 'A red circle.',
    [pictureKey(pictureFile('blue-star.png'))]: 'A blue star.',
  },
};
const QUESTION = 'What is in the picture?';

async function choose(page: Page, name: string, mimeType: string, buffer: Buffer): Promise<void> {
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Attach files' }).click();
  await (await choosing).setFiles({ name, mimeType, buffer });
}

/** Gives a file as a user does who drops it on the page or pastes it into the text field. */
async function give(page: Page, how: 'drop' | 'paste', name: string, bytes: Buffer): Promise<void> {
  await page.getByLabel('Your message').evaluate(
    (field, { base64, fileName, way }) => {
      const data = new DataTransfer();
      const file = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
      data.items.add(new File([file], fileName, { type: 'image/png' }));
      const options = { bubbles: true, cancelable: true };
      field.dispatchEvent(
        way === 'drop'
          ? new DragEvent('drop', { ...options, dataTransfer: data })
          : new ClipboardEvent('paste', { ...options, clipboardData: data }),
      );
    },
    { base64: bytes.toString('base64'), fileName: name, way: how },
  );
}

function draft(page: Page) {
  return page
    .getByRole('region', { name: 'Your question' })
    .getByRole('list', { name: 'Attached' });
}

test('a model that sees is shown a picture, and an export has it', async ({ context, closing }) => {
  const page = await openConsole(context, closing, SEEING);
  await choose(page, 'red-circle.png', 'image/png', pictureFile('red-circle.png'));
  await expect(draft(page).getByRole('img', { name: 'red-circle.png' })).toBeVisible();
  await expect(await ask(page, QUESTION)).toContainText('A red circle.');
  const question = page.getByRole('article', { name: 'You' });
  await expect(question.getByRole('img', { name: 'red-circle.png' })).toBeVisible();
  await expect(draft(page)).toBeHidden();

  await give(page, 'paste', 'star.png', pictureFile('blue-star.png'));
  await give(page, 'drop', 'circle.png', pictureFile('red-circle.png'));
  await draft(page).getByRole('button', { name: 'Remove circle.png' }).click();
  await expect(draft(page).getByRole('img')).toHaveCount(1);
  await expect(await ask(page, QUESTION)).toContainText('A blue star.');

  const base64 = pictureFile('blue-star.png').toString('base64');
  await page
    .getByRole('button', { name: /^More for/ })
    .first()
    .click();
  const downloading = page.waitForEvent('download');
  await page
    .getByRole('button', { name: `Save ${QUESTION} as Markdown` })
    .first()
    .click();
  const file = readFileSync(await (await downloading).path(), 'utf8');
  expect(file).toContain(`![star.png](data:image/png;base64,${base64})\n\n${QUESTION}`);
  await page.reload();
  await expect(question.getByRole('img', { name: 'star.png' })).toBeVisible();
});

test('a large picture is scaled down, and a file that is none is refused', async ({
  context,
  closing,
}) => {
  const page = await openConsole(context, closing, SEEING);
  const base64 = await page.evaluate(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 3000, height: 1000 });
    return canvas.toDataURL('image/png').replace(/^.*,/, '');
  });
  await choose(page, 'wide.png', 'image/png', Buffer.from(base64, 'base64'));
  const image = draft(page).getByRole('img', { name: 'wide.png' });
  await expect(image).toHaveAttribute('src', /^data:image\/jpeg;base64,/);
  await expect(image).toHaveJSProperty('naturalWidth', 1536);
  await expect(image).toHaveJSProperty('naturalHeight', 512);

  await choose(page, 'broken.png', 'image/png', Buffer.from('no picture'));
  await expect(page.getByText('broken.png is not a picture that this browser')).toBeVisible();
  await expect(draft(page).getByRole('img')).toHaveCount(1);
});

test('a model that does not see says so, and is asked without the pictures of before', async ({
  context,
  closing,
}) => {
  const page = await openConsole(context, closing, SEEING);
  await choose(page, 'red-circle.png', 'image/png', pictureFile('red-circle.png'));
  await ask(page, QUESTION);
  await page.getByRole('button', { name: /^Model: / }).click();
  await page.getByRole('button', { name: /^tiny-chat/ }).click();

  await give(page, 'paste', 'star.png', pictureFile('blue-star.png'));
  await expect(page.getByText('This model cannot see pictures.')).toBeVisible();
  await page.getByLabel('Your message').fill('Hello');
  await expect(page.getByRole('button', { name: 'Send (Enter)' })).toBeDisabled();
  await draft(page).getByRole('button', { name: 'Remove star.png' }).click();
  await expect(await ask(page, 'Hello')).toContainText('Asked without the pictures');
});

test('files stand before the question, counted with the tokens of the model', async ({
  context,
  closing,
}) => {
  const page = await openConsole(context, closing);
  await ask(page, 'Hello');
  const note = Buffer.from('# Colours\n\nThe sea is blue.\n');
  await choose(page, 'notes.md', 'text/markdown', note);
  const chip = draft(page).getByRole('listitem');
  await expect(chip).toContainText(/notes\.md\d+ tokens/);
  const fits = page.getByText(/It fits: the chat with these files has \d+ of the 2,048 tokens/);
  await expect(fits).toBeVisible();

  const asking = page.waitForRequest((request) => request.url().endsWith('/v1/chat/completions'));
  await ask(page, 'Say blue.');
  const { messages } = (await asking).postDataJSON() as { messages: { content: string }[] };
  expect(messages.at(-1)?.content).toBe(
    '<file name="notes.md">\n# Colours\n\nThe sea is blue.\n\n</file>\n\nSay blue.',
  );
  await expect(page.getByRole('article', { name: 'You' }).last()).toContainText('notes.md');
  await expect(draft(page)).toBeHidden();

  // What does not fit is searched instead: searched-files.test.ts. A private chat stores nothing.
  await page.goto(`${page.url().replace(/#.*/, '')}#/chat/private`);
  await choose(page, 'long.txt', 'text/plain', Buffer.from('blue and green '.repeat(600)));
  await expect(
    page.getByText(/^Too long: the chat with these files has [\d,]+ tokens/),
  ).toBeVisible();
  await draft(page).getByRole('button', { name: 'Remove long.txt' }).click();
  await choose(page, 'huge.txt', 'text/plain', Buffer.from('blue and green '.repeat(60_000)));
  await expect(page.getByText(/^Far too long: the model holds only 2,048 tokens/)).toBeVisible();
  await choose(page, 'tool.exe', '', Buffer.from([77, 90, 0, 0, 3]));
  await expect(page.getByText('tool.exe is not a picture, a PDF or text')).toBeVisible();
});

test('the text of a PDF is read, also without a network once a first one was', async ({
  context,
  closing,
}) => {
  const page = await openConsole(context, closing);
  const printed = await context.newPage();
  await printed.setContent('<p>The first line.</p><p>Zebras.</p><p style="break-before:page">End.');
  const pdf = await printed.pdf();
  await printed.setContent('<canvas></canvas>');
  const empty = await printed.pdf();
  await printed.close();
  await expect(page.getByRole('button', { name: /^Model: tiny-chat, ready/ })).toBeVisible();
  const isReader = (url: string) => url.includes('pdf-worker');
  const loaded: string[] = [];
  context.on('request', (request) => isReader(request.url()) && loaded.push(request.url()));

  await choose(page, 'paper.pdf', 'application/pdf', pdf);
  const chip = draft(page).getByRole('listitem');
  await expect(chip).toContainText(/paper\.pdf\d+ tokens/);
  const asking = page.waitForRequest((request) => request.url().endsWith('/v1/chat/completions'));
  await ask(page, 'Say blue.');
  const { messages } = (await asking).postDataJSON() as { messages: { content: string }[] };
  expect(messages.at(-1)?.content).toContain('The first line.\nZebras.\n\nEnd.');
  expect(loaded).not.toEqual([]);

  await context.setOffline(true);
  await choose(page, 'again.pdf', 'application/pdf', pdf);
  await expect(chip).toContainText('again.pdf');
  await choose(page, 'blank.pdf', 'application/pdf', empty);
  await expect(page.getByText('blank.pdf has no text.')).toBeVisible();
  await choose(page, 'broken.pdf', 'application/pdf', Buffer.from('%PDF-1.7 nothing'));
  await expect(page.getByText('broken.pdf is not a PDF that can be read.')).toBeVisible();
});

test('a PDF that claims 10^9 pages says how far it is read, and can be removed meanwhile', async ({
  context,
  closing,
}) => {
  const page = await openConsole(context, closing);
  await choose(page, 'many.pdf', 'application/pdf', manyPages());
  const reading = page.getByRole('list', { name: 'Being read' });
  await expect(reading).toContainText(/many\.pdf[\d,]+ of 1,000,000,000 pages/);
  await reading.getByRole('button', { name: 'Remove many.pdf' }).click();
  await expect(reading).toBeHidden();
  await expect(await ask(page, 'Say blue.')).toContainText('blue');
});

test('what other apps share, and files that the installed app opens, are in the draft of a new chat', async ({
  context,
  closing,
}) => {
  await context.addInitScript(() => {
    const getFile = () => Promise.resolve(new File(['The sea is blue.'], 'sea.md'));
    const value: typeof launchQueue = { setConsumer: (take) => take({ files: [{ getFile }] }) };
    Object.defineProperty(globalThis, 'launchQueue', { value });
  });
  const page = await openConsole(context, closing);
  await expect(page.getByText('sea.md')).toBeVisible();
  const { origin } = new URL(page.url());
  await page.goto(`${origin}/?title=A+page&url=https%3A%2F%2Fexample.org%2F`);
  const message = page.getByLabel('Your message');
  await expect(message).toHaveValue('A page\nhttps://example.org/');
  expect(new URL(page.url()).search).toBe('');
});
