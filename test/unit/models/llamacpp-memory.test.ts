import { beforeEach, expect, test } from 'vitest';
import { LlamaInNode } from '../../../models/llamacpp/llama-in-node.ts';
import { tinyLlama } from '../../support/gguf/tiny-llama.ts';

let llama: LlamaInNode;
beforeEach(async () => {
  llama = await LlamaInNode.load({ '/model.gguf': tinyLlama() });
});

test('a context for which there is no memory says so, however little is left', () => {
  const { module } = llama;
  for (let bytes = 1 << 26; bytes >= 16; bytes /= 4) while (module._malloc(bytes) !== 0);
  expect(() => llama.newContext(64, 32)).toThrow('-2: There is not enough memory.');
});

test('a context takes memory of the device as it is filled, not all of it at once', () => {
  const size = () => llama.module.HEAPU8.length;
  const [sizeBefore, residentBefore] = [size(), process.memoryUsage.rss()];
  llama.decode(llama.newContext(200_000, 32), llama.tokenize('the'), 0);
  expect(size() - sizeBefore).toBeGreaterThan(100_000_000);
  expect(process.memoryUsage.rss() - residentBefore).toBeLessThan(30_000_000);
});
