import { expect, test, vi } from 'vitest';
import type { CatalogEntry } from '../../../../../src/core/catalog/catalog-entry.ts';
import { hubVariant, variantOf } from '../../../support/entries.ts';
import { openEngine } from '../../../support/engine-site.ts';
import { sendsJson, type Answer } from '../../../support/http-server.ts';
import { NEVER } from '../../../support/never.ts';

vi.mock('@mlc-ai/web-llm', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  MLCEngine: (await import('../../../support/fake-mlc-engine.ts')).FakeMlcEngine,
}));

const KNOWN = 'mlc-ai/known-embed-q0f32-MLC';
const ADDED = 'o/tuned-embed-q0f32-MLC';
const SOURCE = {
  kind: 'hub',
  repository: KNOWN,
  library: 'libs/embed.wasm',
  describedBy: 'o/known',
} as const;
const KNOWN_ENTRY: CatalogEntry = {
  id: KNOWN,
  task: 'embedding',
  embedding: { length: 64 },
  ownedBy: 'mlc-ai',
  created: 0,
  contextLength: 512,
  variants: [hubVariant(KNOWN, { quantization: 'q0f32', source: SOURCE, needs: {} })],
};

const compiled = (context_window_size = 512) =>
  sendsJson({
    model_type: 'bert',
    quantization: 'q0f32',
    model_config: { hidden_size: 64, context_window_size },
  });

function repository(name: string, files: Record<string, Answer>, tags: string[] = []) {
  const tree = Object.keys(files).map((path) => ({ type: 'file', path, size: 1 }));
  return {
    [`/api/models/${name}`]: sendsJson({ sha: 'abc', tags }),
    [`/api/models/${name}/revision/main`]: sendsJson({ sha: 'abc' }),
    [`/api/models/${name}/tree/abc?recursive=true`]: sendsJson(tree),
    ...Object.fromEntries(
      Object.entries(files).map(([path, answer]) => [`/${name}/resolve/abc/${path}`, answer]),
    ),
  };
}

const module = (type: string, path = '') => ({
  type: `sentence_transformers.models.${type}`,
  path,
});
const MODULES = [module('Transformer'), module('Pooling', '1_Pooling'), module('Normalize', '2')];
const describing = (modules = MODULES, maxTokens = 256) => ({
  'modules.json': sendsJson(modules),
  '1_Pooling/config.json': sendsJson({
    word_embedding_dimension: 64,
    pooling_mode_cls_token: true,
  }),
  'config.json': sendsJson({ hidden_size: 64, max_position_embeddings: maxTokens }),
});

async function adding(own: Record<string, Answer>, base: Record<string, Answer>) {
  const site = await openEngine({
    ...repository(ADDED, { 'mlc-chat-config.json': compiled(), ...own }, ['base_model:o/base']),
    ...repository('o/base', base),
    [`/${KNOWN}/resolve/main/mlc-chat-config.json`]: compiled(),
  });
  await site.catalog.put(KNOWN_ENTRY);
  for await (const _ of site.engine.run({ op: 'add', source: ADDED }, NEVER));
  return site.catalog.get(ADDED);
}

test('an embedder is described by the model that it was made of', async () => {
  const entry = await adding({}, describing());
  expect(entry).toMatchObject({
    task: 'embedding',
    embedding: { length: 64 },
    contextLength: 256,
    added: true,
  });
  expect(variantOf(entry).source).toEqual({
    kind: 'hub',
    repository: ADDED,
    library: 'libs/embed.wasm',
    describedBy: 'o/base',
  });
});

test('its own files come first, and no text is longer than the library’s context', async () => {
  const entry = await adding(describing(MODULES, 1_000), {});
  expect(entry).toMatchObject({ contextLength: 512 });
  expect(variantOf(entry).source).toMatchObject({ describedBy: ADDED });
});

test.each([
  ['that nothing describes', {}, {}, 'kind bert with neither a modules.json nor a base model'],
  ['with a further module', {}, describing([...MODULES, module('Dense', '3')]), 'has Dense'],
  [
    'with positions for another length',
    { 'mlc-chat-config.json': compiled(128) },
    describing(),
    'no library here was compiled for its shape',
  ],
])('an embedder %s is refused', async (_name, own, base, message) => {
  await expect(adding(own, base)).rejects.toMatchObject({
    data: { status: 400, message: expect.stringContaining(message) },
  });
});
