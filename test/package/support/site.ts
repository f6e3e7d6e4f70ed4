import { afterAll } from 'vitest';
import { chromium, type Browser } from 'playwright';
import { findChromium, webgpuFlags } from '../../../src/node/browser.ts';
import { createSiteServer } from '../../../src/node/serve/site-server.ts';
import { listen } from '../../../src/node/serve/listen.ts';

/** Serves a folder until the tests of the file end. Returns its URL. */
export async function serveSite(folder: string): Promise<string> {
  const { origin, close } = await listen(createSiteServer(folder), 0, '--port');
  afterAll(close);
  return `${origin}/`;
}

/** A browser whose WebGPU runs on the CPU. */
export async function openBrowser(): Promise<Browser> {
  const args = webgpuFlags('software');
  const browser = await chromium.launch({ executablePath: findChromium(), args });
  afterAll(() => browser.close());
  return browser;
}
