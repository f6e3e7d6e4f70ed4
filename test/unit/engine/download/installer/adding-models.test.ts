import { describe, expect, test, vi } from 'vitest';
import { modelNotFound } from '../../../../../src/core/errors/errors.ts';
import { findModel } from '../../../../../src/engine/download/hub/find-model.ts';
import { packManifest, variantOf } from '../../../support/entries.ts';
import { answerOf, chatJob, openEngine } from '../../../support/servers/engine-site.ts';
import { fails, sendsJson } from '../../../support/servers/http-server.ts';
import { REPOSITORY } from '../../../support/servers/hub-server.ts';
import { NEVER } from '../../../support/never.ts';

vi.mock('@mlc-ai/web-llm', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  MLCEngine: (await import('../../../support/fakes/fake-mlc-engine.ts')).FakeMlcEngine,
}));

type Site = Awaited<ReturnType<typeof openEngine>>;

describe('adding a model', () => {
  const add = async ({ engine }: Site, source: string) => {
    for await (const event of engine.run({ op: 'add', source }, NEVER)) {
      if (event.type === 'added') return event.model;
    }
    return undefined;
  };
  /** A repository without GGUF files, at the commit `abc`. */
  const repository = (name: string) => ({
    [`/api/models/${name}/revision/main`]: sendsJson({ sha: 'abc' }),
    [`/api/models/${name}/tree/abc?recursive=true`]: sendsJson([]),
  });
  const FINE_TUNED = 'someone/Tuned-1B-q4f16_1-MLC';
  const shape = { hidden_size: 64, vocab_size: 512 };
  const config = (model_config: object, quantization = 'q4f16_1') =>
    sendsJson({ model_type: 'llama', quantization, model_config });
  const fineTuned = {
    ...repository(FINE_TUNED),
    [`/${FINE_TUNED}/resolve/abc/mlc-chat-config.json`]: config({
      ...shape,
      prefill_chunk_size: 9,
    }),
  };
  const base = `/${REPOSITORY}/resolve/main/mlc-chat-config.json`;

  test('of the hub takes the library of a model of the same shape', async () => {
    const site = await openEngine({ ...fineTuned, [base]: config(shape) });
    expect(await add(site, FINE_TUNED)).toBe(FINE_TUNED);
    const entry = await site.catalog.get(FINE_TUNED);
    expect(entry).toMatchObject({ added: true, ownedBy: 'someone', task: 'chat' });
    expect(variantOf(entry).source).toEqual({
      kind: 'hub',
      repository: FINE_TUNED,
      library: 'libs/some.wasm',
    });
  });

  test.each([
    ['of a shape without a library', { [base]: config({ ...shape, hidden_size: 65 }) }],
    ['when nothing can be compared', {}],
  ] as const)('%s is refused', async (_what, answers) => {
    const site = await openEngine({ ...fineTuned, ...answers });
    await expect(add(site, FINE_TUNED)).rejects.toMatchObject({
      data: { status: 400, message: expect.stringContaining('no library') },
    });
    expect(await site.catalog.get(FINE_TUNED)).toBeUndefined();
  });

  test.each([
    ['does not know it', {}, 404],
    ['fails', { '/api/models/o/typo/revision/main': fails(503) }, 500],
  ] as const)('that the hub %s says which models the site has', async (_, answers, status) => {
    const site = await openEngine(answers);
    await expect(add(site, 'o/typo')).rejects.toMatchObject({
      data: { status, message: expect.stringContaining('this site has a, b.') },
    });
  });

  test('that no hub can be asked for says that the site has none', async () => {
    const finder = { marker: 'GGUF', find: () => Promise.reject(modelNotFound('o/typo')) };
    await expect(findModel('o/typo', [{ finder }], [], NEVER)).rejects.toMatchObject({
      data: { status: 404, message: expect.stringContaining('no model comes with this site') },
    });
  });

  test('that is not an MLC model, or does not exist, is refused', async () => {
    const site = await openEngine(repository('o/other'));
    await expect(add(site, 'o/other')).rejects.toThrow(
      'No engine here can run o/other: it has no mlc-chat-config.json or .gguf file or onnx/model.onnx or onnx/encoder_model.onnx.',
    );
    await expect(add(site, 'o/nothing')).rejects.toMatchObject({ data: { status: 404 } });
    await expect(add(site, 'nothing')).rejects.toMatchObject({ data: { status: 400 } });
  });

  test('by the URL of a pack’s folder or manifest', async () => {
    const manifest = packManifest('elsewhere');
    const site = await openEngine({ '/pack/manifest.json': sendsJson(manifest) });
    for (const url of ['pack', 'pack/', 'pack/manifest.json']) {
      expect(await add(site, site.server.url + url)).toBe('elsewhere');
    }
    const entry = await site.catalog.get('elsewhere');
    expect(entry?.added).toBe(true);
    expect(variantOf(entry).source).toMatchObject({ url: `${site.server.url}pack/` });
    await expect(
      answerOf(site.engine.run(chatJob('elsewhere', 'Hi'), NEVER)),
    ).rejects.toMatchObject({ data: { status: 404 } });
  });

  test('by a URL without a pack is refused', async () => {
    const site = await openEngine();
    await expect(add(site, `${site.server.url}nowhere`)).rejects.toMatchObject({
      data: { status: 404, message: expect.stringContaining('no manifest.json') },
    });
  });

  test('by a URL whose server fails is refused, and says so', async () => {
    const site = await openEngine({ '/pack/manifest.json': fails(503) });
    await expect(add(site, `${site.server.url}pack`)).rejects.toMatchObject({
      data: { status: 404, message: expect.stringContaining('or it fails') },
    });
  });

  test('that the catalog knows changes nothing', async () => {
    const site = await openEngine();
    const before = await site.catalog.get('a');
    expect(await add(site, 'a')).toBe('a');
    expect(await site.catalog.get('a')).toEqual(before);
  });

  test('and removing it deletes it from the catalog', async () => {
    const manifest = packManifest('elsewhere');
    const site = await openEngine({ '/pack/manifest.json': sendsJson(manifest) });
    await add(site, `${site.server.url}pack/`);
    await answerOf(site.engine.run({ op: 'remove', model: 'elsewhere' }, NEVER));
    expect(await site.catalog.get('elsewhere')).toBeUndefined();
  });
});
