import { expect, test, vi } from 'vitest';
import type { CatalogEntry } from '../../../../../src/core/catalog/catalog-entry.ts';
import { hubVariant, variantOf } from '../../../support/entries.ts';
import { openEngine } from '../../../support/servers/engine-site.ts';
import { sendsJson } from '../../../support/servers/http-server.ts';
import { NEVER } from '../../../support/never.ts';

vi.mock('@mlc-ai/web-llm', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  MLCEngine: (await import('../../../support/fakes/fake-mlc-engine.ts')).FakeMlcEngine,
}));

const KNOWN = 'mlc-ai/known-q4f16_1-MLC';
const ADDED = 'o/tuned-q4f16_1-MLC';
const SOURCE = { kind: 'hub', repository: KNOWN, library: 'libs/known.wasm' } as const;
const KNOWN_ENTRY: CatalogEntry = {
  id: KNOWN,
  task: 'chat',
  ownedBy: 'mlc-ai',
  created: 0,
  contextLength: 4096,
  variants: [hubVariant(KNOWN, { quantization: 'q4f16_1', source: SOURCE, needs: {} })],
};

const compiled = (rest: object = {}) => ({
  model_type: 'llama',
  quantization: 'q4f16_1',
  model_config: { hidden_size: 64, context_window_size: 4096 },
  ...rest,
});

/** Adds a repository with this `mlc-chat-config.json` to a catalog with one model of WebLLM's list. */
async function adding(config: object): Promise<CatalogEntry | undefined> {
  const { engine, catalog } = await openEngine({
    [`/api/models/${ADDED}`]: sendsJson({ sha: 'abc', tags: ['mlc-llm'] }),
    [`/api/models/${ADDED}/revision/main`]: sendsJson({ sha: 'abc' }),
    [`/api/models/${ADDED}/tree/abc?recursive=true`]: sendsJson([
      { type: 'file', path: 'mlc-chat-config.json', size: 1 },
    ]),
    [`/${ADDED}/resolve/abc/mlc-chat-config.json`]: sendsJson(config),
    [`/${KNOWN}/resolve/main/mlc-chat-config.json`]: sendsJson(compiled()),
  });
  await catalog.put(KNOWN_ENTRY);
  for await (const _ of engine.run({ op: 'add', source: ADDED }, NEVER));
  return catalog.get(ADDED);
}

test('a model runs on the library of one with the same shape, whatever its context', async () => {
  const entry = await adding(compiled({ model_config: { hidden_size: 64 } }));
  expect(entry).toMatchObject({ task: 'chat', contextLength: 4096, added: true });
  expect(variantOf(entry).source).toEqual({ ...SOURCE, repository: ADDED });
});

test.each([
  ['of a shape without a library', { model_config: { hidden_size: 65 } }, 'compiled for its shape'],
  ['of another quantisation', { quantization: 'q0f32' }, 'compiled for its shape (llama, q0f32)'],
  ['that embeds texts', { model_type: 'bert' }, 'with GGUF files or ONNX graphs instead'],
])('a model %s is refused', async (_name, config, message) => {
  await expect(adding(compiled(config))).rejects.toMatchObject({
    data: { status: 400, param: 'model', message: expect.stringContaining(message) },
  });
});
