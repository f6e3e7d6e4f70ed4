import { expect } from 'playwright/test';
import { say } from '../browser/support/chat.ts';
import { fileServer } from '../browser/support/hub/file-server.ts';
import type { TestSite } from '../browser/support/site.ts';
import type { Tab } from '../browsers/support/driver.ts';
import { begin } from '../browsers/support/fixtures.ts';
import type { StartOptions } from '../../src/index.ts';
import { tinyGguf } from '../support/gguf/tiny-gguf.ts';

/** A request by which a worker tells the site that the GPU has computed something. */
const RESULTS = '/computed-on-the-gpu';

/** Tells the site when a worker gets its first results of the GPU. */
const TELL_OF_RESULTS = `{
  const { mapAsync } = GPUBuffer.prototype;
  let isTold = false;
  GPUBuffer.prototype.mapAsync = async function (...range) {
    await mapAsync.apply(this, range);
    if (!isTold) void fetch('${RESULTS}');
    isTold = true;
  };
}\n`;

/** A model of random weights, in a file that ends in its middle until the rest is sent. */
interface HeldModel {
  /** The catalog's id, if the model is added by its URL. */
  id: string;
  url: string;
  /** Returns when the GPU has computed something. */
  untilComputed(): Promise<void>;
  sendRest(): void;
  close(): Promise<void>;
}

/** Serves such a model to a tab, and asks it something while it is downloaded. */
export async function askHeldModel(tab: Tab, site: TestSite, options: StartOptions) {
  const model = await serveHeldModel(site);
  await begin(tab, { ...options, autoInstall: true });
  await tab.evaluate((url) => window.v1.models.add(url), model.url);
  const ask = () => say(tab, 'Hello!', { model: model.id, temperature: 0, max_tokens: 8 });
  const early = ask();
  await model.untilComputed();
  return { model, ask, early };
}

async function serveHeldModel(site: TestSite): Promise<HeldModel> {
  site.preludes['llamacpp.js'] += TELL_OF_RESULTS;
  const bytes = tinyGguf({ shape: { width: 512, innerWidth: 1024 } });
  const { promise: until, resolve: sendRest } = Promise.withResolvers<void>();
  const hold = { at: Math.floor(bytes.length / 2), until };
  const { url, close } = await fileServer({ '/random.gguf': { bytes, hold } });
  return {
    id: 'random',
    url: `${url}random.gguf`,
    untilComputed: () => expect.poll(() => site.requests, { timeout: 300_000 }).toContain(RESULTS),
    sendRest,
    close,
  };
}
