import { join } from 'node:path';
import { expect, test } from 'vitest';
import { benchModel, WORKLOADS } from '../../../bench/models.ts';
import { emulatedSides, llamaCppSides, webLlmSides } from '../../../bench/sides.ts';
import { ROOT } from '../../../scripts/stamp.ts';

const ORIGIN = 'http://localhost';
const FOLDER = `${ORIGIN}/models/tiny-chat/resolve/main/`;
const MODEL = benchModel(WORKLOADS.tiny, [join(ROOT, 'models/packs/tiny-chat')]);

test('WebLLM is compared with itself', () => {
  const { v1, direct } = webLlmSides(MODEL, ORIGIN);
  expect(v1).toEqual({ engines: ['webllm'] });
  expect(direct).toMatchObject({ engine: 'webllm', url: FOLDER });
});

test.each(['llamacpp', 'wllama'] as const)('%s gets the file of the pack', (engine) => {
  const { v1, direct } = llamaCppSides(MODEL, ORIGIN, { engine, threads: 2 });
  expect(v1).toMatchObject({ engines: ['llamacpp'], threads: 2 });
  expect(direct).toMatchObject({ engine, url: `${FOLDER}tiny-chat-F32.gguf`, threads: 2 });
});

test('on an emulated GPU, slashv1 chooses the engine', () => {
  const { v1, direct } = emulatedSides(MODEL, ORIGIN);
  expect(v1.engines).toEqual(['webllm', 'llamacpp']);
  expect(direct.engine).toBe('webllm');
});
