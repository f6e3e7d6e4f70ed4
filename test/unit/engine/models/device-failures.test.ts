import { describe, expect, test, vi } from 'vitest';
import { EngineLost } from '../../../../src/core/errors/errors.ts';
import type { Device } from '../../../../src/core/fit/device-fit.ts';
import { ggufVariant } from '../../support/entries.ts';
import { answerOf, chatJob, openEngine } from '../../support/servers/engine-site.ts';
import { FakeMlcEngine } from '../../support/fakes/fake-mlc-engine.ts';
import { NEVER } from '../../support/never.ts';

vi.mock('@mlc-ai/web-llm', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  MLCEngine: (await import('../../support/fakes/fake-mlc-engine.ts')).FakeMlcEngine,
}));

const GPU: Device = { gpu: 'hardware', hasF16: true };
const OUT_OF_MEMORY = () => Promise.reject(new Error('Out of memory'));
const mlc = () => FakeMlcEngine.last;

/** An engine on a GPU, whose model "a" has a variant for the CPU, too. */
async function openWithBoth() {
  const site = await openEngine({}, { device: GPU });
  const entry = await site.catalog.get('a');
  if (!entry) throw new Error('The catalog has no model "a".');
  await site.catalog.put({ ...entry, variants: [...entry.variants, ggufVariant('a')] });
  return site;
}

type Site = Awaited<ReturnType<typeof openEngine>>;

const ask = ({ engine }: Site, facts: object = {}) =>
  answerOf(engine.run({ ...chatJob('a', 'Hi'), ...facts }, NEVER));

/** How the model is listed. */
async function listed({ engine }: Site) {
  const [event] = await Array.fromAsync(engine.run({ op: 'list' }, NEVER));
  return event?.models.find(({ id }) => id === 'a');
}

describe('a model that the GPU cannot run', () => {
  test('gets another engine, which uses the variant for the CPU', async () => {
    const site = await openWithBoth();
    mlc().load = OUT_OF_MEMORY;
    const failure: unknown = await ask(site).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(EngineLost);
    expect(failure).toMatchObject({ broke: true, data: { code: 'out_of_memory' } });
    expect(site.onBroken).toHaveBeenCalledOnce();
    expect(await listed(site)).toMatchObject({
      variant: { engine: 'llamacpp' },
      variants: [
        { engine: 'llamacpp', obstacles: [] },
        { engine: 'webllm', obstacles: ['webgpu-failed'], installed: true },
      ],
    });
  });

  test('says so to the next request, if the variant for the CPU is not installed', async () => {
    const site = await openWithBoth();
    mlc().load = OUT_OF_MEMORY;
    await ask(site).catch(() => undefined);
    await expect(ask(site)).rejects.toMatchObject({ data: { code: 'model_not_found' } });
    await expect(ask(site)).rejects.toThrow(
      "webllm is installed, but the graphics processor has failed with it. models.install('a')",
    );
  });

  test('and that has no other variant is tried again with each request', async () => {
    const site = await openEngine({}, { device: GPU });
    mlc().load = OUT_OF_MEMORY;
    for (const _ of [1, 2]) {
      const failure: unknown = await ask(site).catch((error: unknown) => error);
      expect(failure).not.toBeInstanceOf(EngineLost);
      expect(failure).toMatchObject({ data: { code: 'out_of_memory' } });
    }
    expect(await listed(site)).toMatchObject({ obstacles: ['webgpu-failed'] });
    mlc().load = () => Promise.resolve();
    expect((await ask(site)).text).toBe('Hello there');
    expect(await listed(site)).toMatchObject({ obstacles: [], state: 'loaded' });
  });

  test('is given up the second time that the GPU is lost without an answer between', async () => {
    const site = await openWithBoth();
    const lose = async function* () {
      yield* await Promise.reject<never[]>(new Error('Device lost'));
    };
    const works = mlc().generate;
    for (const generate of [lose, works, lose]) {
      mlc().generate = generate;
      await ask(site).catch(() => undefined);
      expect(await listed(site)).toMatchObject({ variant: { engine: 'webllm' } });
    }
    await ask(site).catch(() => undefined);
    expect(await listed(site)).toMatchObject({ variant: { engine: 'llamacpp' } });
  });
});

describe('a model whose load has ended its engine', () => {
  /** Leaves the database as an engine does that crashed while it loaded the model. */
  async function crash({ store, installer }: Site, crashes: number): Promise<void> {
    const { entry, variant, installation } = await installer.install('a', NEVER);
    await store.changeLoad(entry.id, variant.id, () => ({
      model: entry.id,
      variant: variant.id,
      revision: installation.revision,
      surroundings: 'this browser',
      crashes,
      gpuFailures: 0,
    }));
  }

  const refused = { data: { code: 'load_crashed', status: 500 } };

  test('is not loaded for a request that is repeated', async () => {
    const site = await openEngine();
    await crash(site, 1);
    await expect(ask(site, { automatic: true })).rejects.toMatchObject(refused);
    expect(await listed(site)).toMatchObject({ obstacles: ['crashed'] });
    expect(mlc().reloads).toEqual([]);
  });

  test('is loaded for the next one who asks, and is then like any other', async () => {
    const site = await openEngine();
    await crash(site, 1);
    expect((await ask(site)).text).toBe('Hello there');
    expect(await listed(site)).toMatchObject({ obstacles: [] });
  });

  test('is refused the second time, unless the load is forced', async () => {
    const site = await openEngine();
    await crash(site, 2);
    await expect(ask(site)).rejects.toMatchObject(refused);
    const load = site.engine.run({ op: 'load', model: 'a', anyway: true }, NEVER);
    await Array.fromAsync(load);
    expect((await ask(site)).text).toBe('Hello there');
  });

  test('has a new beginning when it is removed', async () => {
    const site = await openEngine();
    await crash(site, 2);
    await Array.fromAsync(site.engine.run({ op: 'remove', model: 'a' }, NEVER));
    expect((await ask(site)).text).toBe('Hello there');
  });
});
