import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright/test';
import { findChromium, webgpuFlags } from '../../../src/node/browser.ts';
import { pdfFile } from '../../support/pdf-file.ts';
import { lastAnswer, openConsole, type Scripted } from '../support/console/console.ts';
import { expect, test } from '../support/fixtures.ts';
import { HUB_CHAT } from '../support/scripted/catalog.ts';
import { pictureFile } from '../support/media/seeing.ts';

// Ten tasks of a newcomer, counted. docs/console.md has the table.

const args = [...webgpuFlags('software'), '--use-fake-device-for-media-stream'];
test.use({ launchOptions: { executablePath: findChromium(), args } });

/** What a user does with a pointer and a keyboard. */
class Hand {
  clicks = 0;
  /** Keys beside those that write a text. */
  keys = 0;
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async click(target: Locator): Promise<void> {
    await target.click();
    this.clicks++;
  }

  async press(key: string): Promise<void> {
    await this.page.keyboard.press(key);
    this.keys++;
  }

  /** Writes into a field, which is clicked first unless it has the focus. */
  async write(label: string, text: string): Promise<void> {
    const field = this.page.getByLabel(label);
    await field.waitFor();
    const isFocused = await field.evaluate((element) => element === document.activeElement);
    if (!isFocused) await this.click(field);
    await this.page.keyboard.insertText(text);
  }

  /** Opens a list, and chooses from it. */
  async choose(label: string, option: string): Promise<void> {
    await this.page.getByLabel(label).selectOption(option);
    this.clicks += 2;
  }

  /** Presses a button that asks for a file. What the user does in the system's dialog is not counted. */
  async giveFile(button: string, name: string, buffer: Buffer): Promise<void> {
    const choosing = this.page.waitForEvent('filechooser');
    await this.click(this.page.getByRole('button', { name: button }));
    const mimeType = name.endsWith('pdf') ? 'application/pdf' : 'image/png';
    await (await choosing).setFiles({ name, mimeType, buffer });
  }

  async ask(text: string): Promise<Locator> {
    await this.write('Your message', text);
    await expect(this.page.getByRole('button', { name: 'Send (Enter)' })).toBeEnabled();
    await this.press('Enter');
    return lastAnswer(this.page);
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  link(name: string): Locator {
    return this.page.getByRole('link', { name, exact: true });
  }
}

interface Task {
  name: string;
  scripted?: Scripted;
  run: (hand: Hand) => Promise<void>;
}

const TASKS: Task[] = [
  {
    name: 'find a model and install it',
    run: async (hand) => {
      await hand.click(hand.link('Models'));
      await hand.write('Search models', 'SmolLM2');
      await hand.click(hand.button('Download'));
      await hand.click(hand.button('Download'));
      await hand.click(hand.button('Chat').last());
      await expect(
        hand.button(new RegExp(`^Model: ${HUB_CHAT.replace('mlc-ai/', '')}`)),
      ).toBeVisible();
    },
  },
  {
    name: 'compare two models',
    scripted: { packs: ['tiny-chat', 'tiny-see'] },
    run: async (hand) => {
      await hand.click(hand.button('Settings of this chat'));
      await hand.choose('Second model', 'tiny-see');
      await hand.press('Escape');
      await hand.ask('Hello');
      const answers = hand.page.locator('.beside-answers').getByRole('article', { name: 'Answer' });
      await expect(answers).toHaveCount(2);
    },
  },
  {
    name: 'save a preset and use it in a new chat',
    run: async (hand) => {
      await hand.click(hand.button('Settings of this chat'));
      await hand.write('System prompt', 'You are a pirate.');
      await hand.write('Name of a new preset', 'Pirate');
      await hand.press('Enter');
      await hand.press('Escape');
      await hand.click(hand.button('New chat'));
      await hand.write('Your message', '/');
      await hand.page.getByRole('option', { name: 'Pirate' }).waitFor();
      await hand.press('Enter');
      await expect(hand.page.getByText('Preset: Pirate')).toBeVisible();
    },
  },
  {
    name: 'ask about a PDF',
    run: async (hand) => {
      await hand.giveFile('Attach files', 'tides.pdf', pdfFile(['The tide is high at noon.']));
      await expect(hand.page.getByText('tides.pdf')).toBeVisible();
      await hand.ask('When is the tide high?');
    },
  },
  {
    name: 'ask about a picture',
    scripted: { packs: ['tiny-see', 'tiny-chat'] },
    run: async (hand) => {
      await hand.giveFile('Attach files', 'circle.png', pictureFile('red-circle.png'));
      await expect(hand.page.getByRole('img', { name: 'circle.png' })).toBeVisible();
      await hand.ask('What is in the picture?');
    },
  },
  {
    name: 'dictate a question',
    scripted: { packs: ['tiny-chat', 'tiny-hear'], heard: 'Hello.' },
    run: async (hand) => {
      await hand.click(hand.button('Dictate'));
      await expect(hand.page.getByText(/^Recording/)).toBeVisible();
      await hand.click(hand.button('End the dictation'));
      await expect(hand.page.getByLabel('Your message')).toHaveValue('Hello.');
      await hand.ask('');
    },
  },
  {
    name: 'hear an answer',
    run: async (hand) => {
      const answer = await hand.ask('Hello');
      await hand.click(answer.getByRole('button', { name: 'Read aloud' }));
      await expect(hand.button('Stop reading aloud')).toBeVisible();
    },
  },
  {
    name: 'branch a chat',
    run: async (hand) => {
      const answer = await hand.ask('Hello');
      await hand.click(answer.getByRole('button', { name: 'Continue in a new chat' }));
      await expect(hand.page.getByRole('link', { name: 'Hello' })).toHaveCount(2);
    },
  },
  {
    name: 'export all chats and import them',
    run: async (hand) => {
      await hand.ask('Hello');
      const saving = hand.page.waitForEvent('download');
      await hand.click(hand.button('Save all as JSON'));
      const file = readFileSync(await (await saving).path());
      await hand.giveFile('Import', 'chats.json', file);
      await expect(hand.page.getByText('0 chats imported.')).toBeVisible();
    },
  },
  {
    name: 'delete everything',
    run: async (hand) => {
      await hand.click(hand.link('Device'));
      await hand.click(hand.button('Delete everything'));
      await hand.click(hand.button('Delete for good'));
      await expect(hand.page.getByText('Everything is deleted.')).toBeVisible();
    },
  },
];

/** The clicks and keys of a task, as the documentation tells them. */
function documented(name: string): { clicks: number; keys: number } {
  const text = readFileSync(join(import.meta.dirname, '../../../docs/console.md'), 'utf8');
  const row = text.split('\n').find((line) => line.startsWith(`| ${name} `));
  const [, , , clicks = NaN, keys = NaN] = row?.split('|').map(Number) ?? [];
  return { clicks, keys };
}

for (const { name, scripted, run } of TASKS) {
  test(`a newcomer needs as many clicks as documented to ${name}`, async ({ context, closing }) => {
    await context.grantPermissions(['microphone']);
    const page = await openConsole(context, closing, scripted);
    await expect(
      page.getByRole('button', { name: /^Model: .*, (ready|not loaded)/ }),
    ).toBeVisible();
    const hand = new Hand(page);
    const begun = performance.now();
    await run(hand);
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    test.info().annotations.push({ type: 'seconds', description: seconds });
    expect({ clicks: hand.clicks, keys: hand.keys }).toEqual(documented(name));
  });
}
