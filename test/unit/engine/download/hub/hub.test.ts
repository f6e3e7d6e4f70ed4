import { describe, expect, test } from 'vitest';
import { openRepository } from '../../../../../src/engine/download/hub/hub-repository.ts';
import { hubFiles } from '../../../../../src/engine/download/hub/hub.ts';
import {
  closedServer,
  fails,
  sends,
  sendsJson,
  startServer,
  type Answer,
} from '../../../support/servers/http-server.ts';
import {
  COMMIT,
  HUB_FILES,
  REPOSITORY,
  sha256,
  startHub,
} from '../../../support/servers/hub-server.ts';
import { NEVER } from '../../../support/never.ts';

const REVISION = `/api/models/${REPOSITORY}/revision/main`;
const TREE = `/api/models/${REPOSITORY}/tree/${COMMIT}?recursive=true`;
const from = (url: string, repository = REPOSITORY, signal = NEVER) =>
  hubFiles(url, repository, (path) => path !== 'README.md', signal);

async function failure(changes: Record<string, Answer>) {
  const hub = await startHub(changes);
  const error: unknown = await from(hub.url).catch((reason: unknown) => reason);
  return error;
}

test('the needed files of a repository are those of its latest commit', async () => {
  const hub = await startHub();
  const { sha, files } = await from(hub.url);
  const url = (path: string) => `${hub.url}${REPOSITORY}/resolve/${COMMIT}/${path}`;
  expect(sha).toBe(COMMIT);
  expect(files.map(({ path }) => path)).toEqual(
    Object.keys(HUB_FILES).filter((path) => path !== 'README.md'),
  );
  expect(files).toContainEqual({ path: 'tokenizer.json', size: 2, url: url('tokenizer.json') });
  expect(files).toContainEqual({
    path: 'params_shard_1.bin',
    size: 9,
    url: url('params_shard_1.bin'),
    sha256: sha256('weights 1'),
  });
});

test.each(['a#b.json', 'a?b.json', 'a%20b.json', '100%.json', 'c:d/e f.json', 'né.json'])(
  'a file may be named %s',
  async (path) => {
    const hub = await startServer({
      [REVISION]: sendsJson({ sha: COMMIT }),
      [TREE]: sendsJson([{ type: 'file', path, size: 3 }]),
    });
    const encoded = path.split('/').map(encodeURIComponent).join('/');
    hub.answers[`/${REPOSITORY}/resolve/${COMMIT}/${encoded}`] = sendsJson({ path });
    const { files } = await from(hub.url);
    const sent: unknown = await (await fetch(files[0]?.url ?? '')).json();
    expect(sent).toEqual({ path });
    const repository = await openRepository(hub.url, REPOSITORY, NEVER);
    expect(await repository.read(path)).toEqual({ path });
    const bytes = await repository.readFrom(path, 0);
    expect(new TextDecoder().decode(bytes)).toBe(JSON.stringify({ path }));
  },
);

describe('the hub’s answer', () => {
  test.each([401, 403, 404])('%i means that the model does not exist', async (status) => {
    expect(await failure({ [REVISION]: fails(status) })).toMatchObject({
      data: {
        status: 404,
        code: 'model_not_found',
        message: expect.stringMatching(new RegExp(`${REPOSITORY}.*answered ${status}`)),
      },
    });
  });

  test.each([500, 429])('%i is an error of the hub, and the message says so', async (status) => {
    expect(await failure({ [TREE]: fails(status) })).toMatchObject({
      data: {
        status: 500,
        code: 'engine_error',
        message: expect.stringContaining(`The hub answered ${status} for http`),
      },
    });
  });

  test.each([
    ['no JSON', sends('<html>Log in to this network</html>')],
    ['other JSON', sendsJson({ error: 'no' })],
    ['cut short', sends('{"sha": "c0f')],
  ])('that is %s is an error that says so', async (_what, answer) => {
    expect(await failure({ [REVISION]: answer })).toMatchObject({
      data: {
        code: 'engine_error',
        message: expect.stringContaining('did not answer as the model hub does'),
      },
    });
  });
});

test('the error names a hub that cannot be reached', async () => {
  const url = await closedServer();
  await expect(from(url)).rejects.toMatchObject({
    data: {
      status: 500,
      code: 'engine_error',
      message: `The hub cannot be reached at ${new URL(url).origin}.`,
    },
  });
});

test('an aborted request fails with the reason of the signal', async () => {
  const controller = new AbortController();
  const hub = await startHub({ [REVISION]: () => controller.abort(new Error('enough')) });
  await expect(from(hub.url, REPOSITORY, controller.signal)).rejects.toThrow('enough');
});

test('the name of a repository is escaped in the hub’s addresses', async () => {
  const hub = await startHub();
  const repository = 'org/a?b#c';
  await expect(from(hub.url, repository)).rejects.toThrow(/does not exist/);
  expect(hub.requests).toEqual(['GET /api/models/org/a%3Fb%23c/revision/main']);
});
