import { describe, expect, test } from 'vitest';
import { mlcInstaller } from '../../../../../src/engine/webllm/installation/mlc-installation.ts';
import { fails, sends, sendsJson } from '../../../support/servers/http-server.ts';
import {
  COMMIT,
  HUB_FILES,
  LIBRARY,
  REPOSITORY,
  startHub,
} from '../../../support/servers/hub-server.ts';
import { NEVER } from '../../../support/never.ts';

const REVISION = `/api/models/${REPOSITORY}/revision/main`;
const TREE = `/api/models/${REPOSITORY}/tree/${COMMIT}?recursive=true`;
const SOURCE = { kind: 'hub', repository: REPOSITORY, library: LIBRARY } as const;

const from = (url: string) => mlcInstaller({ hub: url, libraries: url }).plan(SOURCE, NEVER);

describe('an MLC model on the hub', () => {
  test('consists of the files that WebLLM needs, and of the model library', async () => {
    const hub = await startHub();
    const { revision, files } = await from(hub.url);
    expect(revision).toBe(COMMIT);
    const needed = Object.keys(HUB_FILES).filter((path) => path !== 'README.md');
    expect(files.map(({ path }) => path)).toEqual([...needed, 'model.wasm']);
    expect(files).toContainEqual({ path: 'model.wasm', size: 4, url: hub.url + LIBRARY });
  });

  test('is planned without downloading weights', async () => {
    const hub = await startHub();
    await from(hub.url);
    expect(hub.requests).toEqual([`GET ${REVISION}`, `GET ${TREE}`, `HEAD /${LIBRARY}`]);
  });

  test('has a library of unknown size if the server compresses it', async () => {
    const hub = await startHub({
      [`/${LIBRARY}`]: sends('', { 'content-encoding': 'gzip', 'content-length': '3' }),
    });
    const { files } = await from(hub.url);
    expect(files.at(-1)).toMatchObject({ path: 'model.wasm', size: 0 });
  });

  test.each(['mlc-chat-config.json', 'tensor-cache.json', 'params_shard_0.bin'])(
    'without %s cannot run',
    async (missing) => {
      const tree = Object.keys(HUB_FILES)
        .filter((path) => path !== missing)
        .map((path) => ({ type: 'file', path, size: 1 }));
      const hub = await startHub({ [TREE]: sendsJson(tree) });
      await expect(from(hub.url)).rejects.toMatchObject({
        message: `WebLLM cannot run ${REPOSITORY}: it has no ${missing}.`,
      });
    },
  );

  test('without its model library does not exist', async () => {
    const hub = await startHub({ [`/${LIBRARY}`]: fails(404) });
    await expect(from(hub.url)).rejects.toMatchObject({
      data: { code: 'model_not_found', message: expect.stringContaining(LIBRARY) },
    });
  });
});
