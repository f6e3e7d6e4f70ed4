import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'playwright/test';
import { PACKS, type TestSite } from '../site.ts';

const PACK = 'smollm2-135m';
const FILE = 'SmolLM2-135M-Instruct.Q4_1.gguf';
/** The share of the file that is sent at once. */
const PART = 0.8;

/** Runs in the model's worker: tells the site when the worker learns its first prompt. */
const TELL_EXPECTED = `addEventListener('message', ({ ports: [engine] }) =>
  engine.addEventListener('message', ({ data }) => {
    if (data.type === 'expect') void fetch('/expected');
  }), { once: true });
`;

/**
 * Sends only the first part of SmolLM2's file until the rest is released. (tiny-chat's file is too small: a model's
 * worker gets all of it at once.)
 *
 * @returns a function that waits until the model's worker knows its first prompt, and then sends the rest
 */
export function holdRest(site: TestSite): () => Promise<void> {
  const content = readFileSync(join(PACKS[PACK] ?? '', FILE));
  const end = Math.floor(PART * content.length);
  const released = Promise.withResolvers<void>();
  const { intercept } = site;
  site.preludes['llamacpp.js'] = TELL_EXPECTED;
  site.intercept = (request, response) => {
    if (intercept?.(request, response)) return true;
    if (request.url !== `/packs/${PACK}/${FILE}`) return false;
    response.writeHead(200, { 'content-length': content.length });
    response.write(content.subarray(0, end));
    void released.promise.then(() => response.end(content.subarray(end)));
    return true;
  };
  return async () => {
    await expect.poll(() => site.requests, { timeout: 30_000 }).toContain('/expected');
    released.resolve();
  };
}
