import { afterEach, describe, expect, test, vi } from 'vitest';
import { LOAD_TIMEOUT_MS } from '../../../../src/engine/scheduling/watchdog.ts';
import {
  answerOf,
  chatJob,
  MLC_CONFIG,
  openEngine,
  reportsOf,
  stageOf,
} from '../../support/servers/engine-site.ts';
import { FakeMlcEngine } from '../../support/fakes/fake-mlc-engine.ts';
import { manifestOf, packEntry, variantOf } from '../../support/entries.ts';
import { fails, sends } from '../../support/servers/http-server.ts';
import { COMMIT, REPOSITORY } from '../../support/servers/hub-server.ts';
import { NEVER } from '../../support/never.ts';

vi.mock('@mlc-ai/web-llm', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  MLCEngine: (await import('../../support/fakes/fake-mlc-engine.ts')).FakeMlcEngine,
}));

const CONFIG_URL = `/${REPOSITORY}/resolve/${COMMIT}/mlc-chat-config.json`;

const mlc = () => FakeMlcEngine.last;

describe('loading a model', () => {
  test('reports the download, the load and the end', async () => {
    const { engine, progress } = await openEngine();
    mlc().load = async (report) => {
      report({ progress: 0.5, timeElapsed: 0, text: 'Loading model from cache[1/2]' });
      report({ progress: 1, timeElapsed: 0, text: 'Loading GPU shader modules[9/9]' });
    };
    const reports = await reportsOf(progress, () =>
      answerOf(engine.run({ op: 'load', model: 'a' }, NEVER)),
    );
    const stages = reports.map(({ stage }) => stage);
    expect([...new Set(stages)]).toEqual(['download', 'installed', 'load', 'ready']);
    const texts = reports.filter(({ stage }) => stage === 'load').map(({ text }) => text);
    expect(texts).toEqual(['Loading', 'Loading weights', 'Compiling shaders']);
    for (const { loadedBytes, totalBytes } of reports) {
      expect(loadedBytes).toBeLessThanOrEqual(totalBytes);
    }
    const { loadedBytes, totalBytes } = reports.at(-1) ?? {};
    expect(loadedBytes).toBe(totalBytes);
  });

  test('makes WebLLM add nothing to a prompt', async () => {
    const { engine } = await openEngine();
    await answerOf(engine.run({ op: 'load', model: 'a' }, NEVER));
    expect(mlc().reloads[0]?.options.conv_template).toMatchObject({
      system_message: '',
      role_content_sep: '',
      role_empty_sep: '',
      seps: [''],
      roles: { user: '', assistant: '', tool: '' },
      stop_str: [],
      stop_token_ids: [2],
    });
    expect(mlc().reloads[0]?.options.conv_template).not.toHaveProperty('role_templates');
  });

  test('that cannot be downloaded is reported as failed', async () => {
    const { engine, progress } = await openEngine({ '/params_shard_0.bin': fails(500) });
    const reports = await reportsOf(progress, () =>
      expect(answerOf(engine.run({ op: 'load', model: 'a' }, NEVER))).rejects.toThrow(/HTTP 500/),
    );
    expect(reports.at(-1)).toMatchObject({ stage: 'failed' });
    expect(mlc().reloads).toEqual([]);
  });
});

describe('a load', () => {
  afterEach(() => vi.useRealTimers());

  test('that is cancelled is not reported as failed', async () => {
    const controller = new AbortController();
    const { engine, progress } = await openEngine({
      '/params_shard_0.bin': () => controller.abort(),
    });
    const reports = await reportsOf(progress, async () => {
      const loading = answerOf(engine.run({ op: 'load', model: 'a' }, controller.signal));
      await expect(loading).rejects.toMatchObject({ name: 'AbortError' });
      await vi.waitFor(() => expect(stageOf(progress, 'a')).toBe('paused'));
    });
    expect(reports.map(({ stage }) => stage)).not.toContain('failed');
  });

  test('that hangs fails, and its worker is replaced', async () => {
    const { engine, progress, onBroken } = await openEngine();
    const { promise: loading, resolve } = Promise.withResolvers<void>();
    mlc().load = () => {
      resolve();
      return new Promise(() => undefined);
    };
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const reports = await reportsOf(progress, async () => {
      const answer = expect(answerOf(engine.run(chatJob('a', 'Hi'), NEVER))).rejects.toMatchObject({
        data: { status: 500, code: 'timeout' },
      });
      await loading;
      await vi.advanceTimersByTimeAsync(LOAD_TIMEOUT_MS);
      await answer;
    });
    expect(reports.at(-1)).toMatchObject({ stage: 'failed' });
    expect(onBroken).toHaveBeenCalledOnce();
  });

  test('may take any time while it makes progress, which does not count as generating', async () => {
    const { engine, onBroken } = await openEngine();
    const { promise: loading, resolve } = Promise.withResolvers<void>();
    mlc().load = async (report) => {
      resolve();
      for (let part = 1; part <= 9; part++) {
        await new Promise((done) => setTimeout(done, LOAD_TIMEOUT_MS - 1));
        report({ progress: part / 9, timeElapsed: 0, text: 'Loading GPU shader modules' });
      }
    };
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const answer = answerOf(engine.run(chatJob('a', 'Hi'), NEVER));
    await loading;
    await vi.advanceTimersByTimeAsync(9 * LOAD_TIMEOUT_MS);
    expect((await answer).text).toBe('Hello there');
    expect(onBroken).not.toHaveBeenCalled();
  });
});

describe('unloading a model', () => {
  test('frees the GPU and says so', async () => {
    const { engine, progress } = await openEngine();
    await answerOf(engine.run({ op: 'load', model: 'a' }, NEVER));
    const reports = await reportsOf(progress, () =>
      answerOf(engine.run({ op: 'unload', model: 'a' }, NEVER)),
    );
    expect(reports.at(-1)).toMatchObject({ model: 'a', stage: 'unloaded' });
    expect(mlc().unloads).toBe(1);
  });

  test('that is not loaded does nothing', async () => {
    const { engine } = await openEngine();
    await answerOf(engine.run({ op: 'load', model: 'a' }, NEVER));
    await answerOf(engine.run({ op: 'unload', model: 'b' }, NEVER));
    expect(mlc().unloads).toBe(0);
  });

  test('does not wait for the answer of another', async () => {
    const { engine, progress } = await openEngine();
    await answerOf(engine.run({ op: 'load', model: 'b' }, NEVER));
    const answer = engine.run(chatJob('a', 'Hi'), NEVER);
    await answer[Symbol.asyncIterator]().next();
    await answerOf(engine.run({ op: 'unload', model: 'b' }, NEVER));
    expect(stageOf(progress, 'b')).toBe('unloaded');
    expect((await answerOf(answer)).text).toBe('Hello there');
  });

  test('waits for its running answer', async () => {
    const { engine } = await openEngine();
    const answer = engine.run(chatJob('a', 'Hi'), NEVER);
    await answer[Symbol.asyncIterator]().next();
    const unloading = answerOf(engine.run({ op: 'unload', model: 'a' }, NEVER));
    expect(mlc().unloads).toBe(0);
    expect((await answerOf(answer)).text).toBe('Hello there');
    await unloading;
    expect(mlc().unloads).toBe(1);
  });
});

describe('a model of the hub', () => {
  const withConfig = { [CONFIG_URL]: sends(MLC_CONFIG) };
  const resized = `/api/models/${REPOSITORY}/tree/${COMMIT}?recursive=true`;

  /** The hub’s listing with the true size of the configuration. */
  async function openWithHubModel() {
    const paths = ['mlc-chat-config.json', 'tensor-cache.json', 'params_shard_0.bin'];
    const sizes = [MLC_CONFIG.length, 14, 9];
    const tree = paths.map((path, index) => ({ type: 'file', path, size: sizes[index] }));
    return openEngine({ ...withConfig, [resized]: sends(JSON.stringify(tree)) });
  }

  test('can be used when it is installed, with the overrides of WebLLM’s list', async () => {
    const { engine, catalog } = await openWithHubModel();
    await answerOf(engine.run({ op: 'install', model: REPOSITORY }, NEVER));
    expect(variantOf(await catalog.get(REPOSITORY))).toMatchObject({
      installed: { revision: COMMIT },
      bytes: MLC_CONFIG.length + 14 + 9 + 4,
    });
    expect((await answerOf(engine.run(chatJob(REPOSITORY, 'Hi'), NEVER))).text).toBe('Hello there');
    expect(mlc().reloads[0]?.options.context_window_size).toBe(1024);
    expect(mlc().reloads[0]?.appConfig?.model_list[0]?.required_features).toEqual(['shader-f16']);
  });

  test('without a chat template is prompted with MLC’s own', async () => {
    const { engine } = await openWithHubModel();
    await answerOf(engine.run({ op: 'install', model: REPOSITORY }, NEVER));
    await answerOf(engine.run(chatJob(REPOSITORY, 'Hi'), NEVER));
    expect(mlc().requests[0]?.messages).toEqual([{ role: 'user', content: 'U: Hi|A: ' }]);
  });

  test('that is installed is not downloaded again, and the hub gets no request', async () => {
    const { engine, server } = await openWithHubModel();
    await answerOf(engine.run({ op: 'install', model: REPOSITORY }, NEVER));
    server.requests.length = 0;
    await answerOf(engine.run({ op: 'install', model: REPOSITORY }, NEVER));
    expect(server.requests).toEqual([]);
  });

  test('can be removed and installed again', async () => {
    const { engine, catalog, weights } = await openWithHubModel();
    await answerOf(engine.run({ op: 'install', model: REPOSITORY }, NEVER));
    await answerOf(engine.run({ op: 'load', model: REPOSITORY }, NEVER));
    await answerOf(engine.run({ op: 'remove', model: REPOSITORY }, NEVER));
    expect(mlc().unloads).toBe(1);
    expect(variantOf(await catalog.get(REPOSITORY)).installed).toBeUndefined();
    expect(await weights.paths(REPOSITORY, COMMIT)).toEqual(new Set());
    await answerOf(engine.run({ op: 'install', model: REPOSITORY }, NEVER));
    expect((await weights.paths(REPOSITORY, COMMIT)).size).toBe(4);
  });

  test('whose installation fails is not installed, and keeps the downloaded part', async () => {
    const { engine, catalog, weights } = await openEngine({
      [`/${REPOSITORY}/resolve/${COMMIT}/params_shard_1.bin`]: fails(503),
    });
    await expect(answerOf(engine.run({ op: 'install', model: REPOSITORY }, NEVER))).rejects.toThrow(
      /params_shard_1.bin: HTTP 503/,
    );
    expect(variantOf(await catalog.get(REPOSITORY)).installed).toBeUndefined();
    expect(await weights.paths(REPOSITORY, COMMIT)).toContain('params_shard_0.bin');
  });
});

test('a new version of a pack is stored beside the old files, which serve until it is whole', async () => {
  const { engine, catalog, weights, server } = await openEngine();
  await answerOf(engine.run({ op: 'load', model: 'a' }, NEVER));
  const { files } = manifestOf(await catalog.get('a'));
  await catalog.replace('pack', [packEntry('a', 'r2', { url: server.url, files })]);
  await answerOf(engine.run({ op: 'unload', model: 'a' }, NEVER));
  await answerOf(engine.run({ op: 'load', model: 'a' }, NEVER));
  const revision = async () => variantOf(await catalog.get('a')).installed?.revision;
  await vi.waitFor(async () => expect(await revision()).toBe('r2'));
  expect((await weights.paths('a', 'r2')).size).toBe(5);
  await answerOf(engine.run({ op: 'unload', model: 'a' }, NEVER));
  expect((await answerOf(engine.run(chatJob('a', 'Hi'), NEVER))).text).toBe('Hello there');
});

test('jobs about an unknown model are 404', async () => {
  const { engine } = await openEngine();
  for (const op of ['load', 'install', 'remove'] as const) {
    await expect(answerOf(engine.run({ op, model: 'nothing' }, NEVER))).rejects.toMatchObject({
      data: { status: 404, code: 'model_not_found' },
    });
  }
});

test('a missing shard is an error that names it, and loaded models stay loaded', async () => {
  const { engine, catalog, server } = await openEngine({ '/b_shard.bin': fails(404) });
  const files = [{ path: 'b_shard.bin', size: 1 }];
  await catalog.put(packEntry('b', 'r1', { url: server.url, files }));
  await answerOf(engine.run({ op: 'load', model: 'a' }, NEVER));
  await expect(answerOf(engine.run(chatJob('b', 'Hi'), NEVER))).rejects.toThrow(
    `Could not download ${server.url}b_shard.bin: HTTP 404`,
  );
  expect(mlc().unloads).toBe(0);
  expect((await answerOf(engine.run(chatJob('a', 'Hi'), NEVER))).text).toBe('Hello there');
});
