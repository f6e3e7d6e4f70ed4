import { QUICK_SITE, serveFolder } from '../browser/support/sites/built-sites.ts';
import { GREETING } from '../browser/support/prompts.ts';
import type { Tab } from './support/driver.ts';
import { expect, test } from './support/fixtures.ts';
import { untilKept } from './support/until-kept.ts';

/** Asks in the chat; resolves with the whole answer. */
async function ask(tab: Tab, text: string): Promise<string> {
  await until(tab, () => document.querySelector('textarea') !== null);
  await tab.evaluate((message) => {
    const field = document.querySelector('textarea');
    if (!field) throw new Error('The chat has no field.');
    field.value = message;
    field.dispatchEvent(new Event('input'));
  }, text);
  // The button is disabled until a model is there. The button that stops the answer is `.send`, too.
  await until(tab, () => document.querySelector('.send:not(.stop):enabled') !== null);
  await tab.evaluate(() => document.querySelector<HTMLElement>('.send:not(.stop)')?.click());
  await until(tab, () => document.querySelector('.answer[aria-busy="false"]') !== null);
  return tab.evaluate(() => document.querySelector('.answer')?.textContent ?? '');
}

function until(tab: Tab, condition: () => boolean): Promise<unknown> {
  return tab.waitForFunction(condition, undefined, { polling: 50 });
}

test('the chat of the built site answers, and still does without a network', async ({ newTab }) => {
  const server = await serveFolder(QUICK_SITE);
  try {
    const tab = await newTab(server.origin);
    expect(await ask(tab, 'Hello!')).toContain(GREETING);
    // The WebAssembly file is the build with or without threads, whichever this browser runs.
    await untilKept(tab, ['llamacpp.js'], ['llamacpp.wasm', 'llamacpp-threads.wasm']);
    await server.close();
    await tab.reload();
    expect(await ask(tab, 'Hello!')).toContain(GREETING);
  } finally {
    await server.close();
  }
});
