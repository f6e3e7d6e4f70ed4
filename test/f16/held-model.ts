import { expect } from 'playwright/test';
import { fileServer } from '../browser/support/hub/file-server.ts';
import type { TestSite } from '../browser/support/site.ts';
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

export async function serveHeldModel(site: TestSite): Promise<HeldModel> {
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
