import { describe, expect, test } from 'vitest';
import type { HubSource } from '../../../../src/core/stores/catalog-entry.ts';
import { hubInstallation } from '../../../../src/engine/weights/hub.ts';
import { closedServer, fails, sends, sendsJson, type Answer } from '../../support/http-server.ts';
import {
  COMMIT,
  HUB_FILES,
  LIBRARY,
  REPOSITORY,
  sha256,
  startHub,
} from '../../support/hub-server.ts';

const REVISION = `/api/models/${REPOSITORY}/revision/main`;
const TREE = `/api/models/${REPOSITORY}/tree/${COMMIT}?recursive=true`;
const NEVER = new AbortController().signal;
const SOURCE: HubSource = {
  ...{ kind: 'hub', repository: REPOSITORY, modelLibrary: LIBRARY, needsF16: false },
};

const from = (url: string, source = SOURCE, signal = NEVER) =>
  hubInstallation({ hub: url, libraries: url }, source, signal);

async function failure(changes: Record<string, Answer>) {
  const hub = await startHub(changes);
  const error: unknown = await from(hub.url).catch((reason: unknown) => reason);
  return error;
}

describe('a model on the hub', () => {
  test('is what it takes to run it, pinned to the present commit', async () => {
    const hub = await startHub();
    const url = (path: string) => `${hub.url}${REPOSITORY}/resolve/${COMMIT}/${path}`;
    const { revision, modelLibrary, files } = await from(hub.url);
    expect({ revision, modelLibrary }).toEqual({ revision: COMMIT, modelLibrary: 'model.wasm' });
    const needed = Object.keys(HUB_FILES).filter((path) => path !== 'README.md');
    expect(files.map(({ path }) => path)).toEqual([...needed, 'model.wasm']);
    expect(files).toContainEqual({ path: 'tokenizer.json', size: 2, url: url('tokenizer.json') });
    expect(files).toContainEqual({
      ...{ path: 'params_shard_1.bin', size: 9, url: url('params_shard_1.bin') },
      sha256: sha256('weights 1'),
    });
    expect(files).toContainEqual({ path: 'model.wasm', size: 4, url: hub.url + LIBRARY });
  });

  test('is asked for by its own paths, and no weights are fetched yet', async () => {
    const hub = await startHub();
    await from(hub.url);
    expect(hub.requests).toEqual([`GET ${REVISION}`, `GET ${TREE}`, `HEAD /${LIBRARY}`]);
  });

  test('has a library of unknown size where the server compresses it', async () => {
    const hub = await startHub({
      [`/${LIBRARY}`]: sends('', { 'content-encoding': 'gzip', 'content-length': '3' }),
    });
    const { files } = await from(hub.url);
    expect(files.at(-1)).toMatchObject({ path: 'model.wasm', size: 0 });
  });
});

describe('the hub’s answer', () => {
  test.each([401, 403, 404])('%i means that there is no such model', async (status) => {
    expect(await failure({ [REVISION]: fails(status) })).toMatchObject({
      data: {
        ...{ status: 404, code: 'model_not_found' },
        message: expect.stringMatching(new RegExp(`${REPOSITORY}.*answered ${status}`)),
      },
    });
  });

  test.each([500, 429])('%i is the hub’s failure, and named', async (status) => {
    expect(await failure({ [TREE]: fails(status) })).toMatchObject({
      data: {
        ...{ status: 500, code: 'engine_error' },
        message: expect.stringContaining(`The hub answered ${status} for http`),
      },
    });
  });

  test.each([
    ['no JSON', sends('<html>Log in to this network</html>')],
    ['other JSON', sendsJson({ error: 'no' })],
    ['cut short', sends('{"sha": "c0f')],
  ])('that is %s is named as that', async (_what, answer) => {
    expect(await failure({ [REVISION]: answer })).toMatchObject({
      data: {
        code: 'engine_error',
        message: expect.stringContaining('does not answer as the model hub does'),
      },
    });
  });

  test.each(['mlc-chat-config.json', 'tensor-cache.json', 'params_shard_0.bin'])(
    'without %s is no model for WebLLM',
    async (missing) => {
      const tree = Object.keys(HUB_FILES)
        .filter((path) => path !== missing)
        .map((path) => ({ type: 'file', path, size: 1 }));
      expect(await failure({ [TREE]: sendsJson(tree) })).toMatchObject({
        message: `${REPOSITORY} is no model for WebLLM: no ${missing}.`,
      });
    },
  );

  test('is missing when there is no model library', async () => {
    expect(await failure({ [`/${LIBRARY}`]: fails(404) })).toMatchObject({
      data: { code: 'model_not_found', message: expect.stringContaining(LIBRARY) },
    });
  });
});

test('a hub that cannot be reached is named', async () => {
  const url = await closedServer();
  await expect(from(url)).rejects.toMatchObject({
    data: {
      ...{ status: 500, code: 'engine_error' },
      message: `The hub cannot be reached at ${new URL(url).origin}.`,
    },
  });
});

test('who gives up gets the reason, not a failure of the hub', async () => {
  const controller = new AbortController();
  const hub = await startHub({ [REVISION]: () => controller.abort(new Error('enough')) });
  await expect(from(hub.url, SOURCE, controller.signal)).rejects.toThrow('enough');
});

test('a repository’s name cannot lead elsewhere', async () => {
  const hub = await startHub();
  const repository = 'org/a?b#c';
  await expect(from(hub.url, { ...SOURCE, repository })).rejects.toThrow(/does not exist/);
  expect(hub.requests).toEqual(['GET /api/models/org/a%3Fb%23c/revision/main']);
});
