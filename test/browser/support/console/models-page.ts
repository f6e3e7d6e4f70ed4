/** What tests of the console's page about models share. */
import type { BrowserContext, Page } from 'playwright/test';
import { expect } from '../fixtures.ts';
import { HUB_CHAT } from '../scripted/catalog.ts';
import { openConsole, scriptedEngine, type Closing, type Scripted } from './console.ts';

/** The hub's model, as its card names it. */
export const NAME = HUB_CHAT.replace('mlc-ai/', '');
/** Bytes of the model's download at which it waits for the test. */
export const HELD_AT = 11_200_000;

/** Opens the console, and its page about models. */
export async function openModels(context: BrowserContext, closing: Closing, scripted?: Scripted) {
  const page = await openConsole(context, closing, scripted);
  await page.getByRole('link', { name: 'Models' }).click();
  await expect(page.getByRole('heading', { name: 'Models', level: 1 })).toBeVisible();
  return page;
}

/** Requests to the hub so far. */
export async function askedOfHub(page: Page): Promise<string[]> {
  return (await scriptedEngine(page)).evaluate(() => scripted.models.asked);
}

/** Drops a file on the page, as a user does from a file manager. */
export async function drop(page: Page, name: string): Promise<void> {
  await page.evaluate((fileName) => {
    const data = new DataTransfer();
    data.items.add(new File(['GGUF'], fileName));
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true }));
  }, name);
}
