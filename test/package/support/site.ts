import { afterAll } from 'vitest';
import { chromium, type Browser } from 'playwright';
import { findChromium, webgpuFlags } from '../../../src/node/browser.ts';
import { createSiteServer } from '../../../src/node/serve/site-server.ts';
import { listen } from '../../../src/node/serve/listen.ts';

/** What was opened for the tests of the file. In a test or a hook, Vitest calls no `afterAll`. */
const opened: { close: () => Promise<unknown> }[] = [];
afterAll(async () => {
  for (const each of opened) await each.close();
});

/** Serves a folder until the tests of the file end. Returns its URL. */
export async function serveSite(folder: string): Promise<string> {
  const server = await listen(createSiteServer(folder), 0, '--port');
  opened.push(server);
  return `${server.origin}/`;
}

/** A browser whose WebGPU runs on the CPU, until the tests of the file end. */
export async function openBrowser(): Promise<Browser> {
  const args = webgpuFlags('software');
  const browser = await chromium.launch({ executablePath: findChromium(), args });
  opened.push(browser);
  return browser;
}
