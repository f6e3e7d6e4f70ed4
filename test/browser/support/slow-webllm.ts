import type { TestSite } from './site.ts';

/** Milliseconds: a short answer of tiny-chat takes a second then. */
const READ_MS = 8;

/**
 * Makes WebLLM take its time for each token.
 *
 * @param ms - before each read of the GPU's memory; a token takes at least one
 */
export function slowWebllm(site: TestSite, ms = READ_MS): void {
  site.preludes['engine.js'] = `{
    const map = GPUBuffer.prototype.mapAsync;
    GPUBuffer.prototype.mapAsync = async function (...range) {
      await new Promise((resolve) => setTimeout(resolve, ${ms}));
      return map.apply(this, range);
    };
  }\n`;
}
