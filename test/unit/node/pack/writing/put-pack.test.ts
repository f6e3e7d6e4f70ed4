import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { packName, putPack } from '../../../../../src/node/pack/writing/put-pack.ts';
import { ggufBytes } from '../../../../support/gguf/gguf-bytes.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';
import {
  closedServer,
  sends,
  startServer,
  type HttpServer,
} from '../../../support/servers/http-server.ts';
import { COMMIT, largeFiles } from '../../../support/servers/hub-server.ts';
import { ggufTensors, METADATA } from '../tiny-llama.ts';

const REPOSITORY = 'some/Tiny-GGUF';
const MODEL = Buffer.from(ggufBytes(METADATA, ggufTensors()));
const FILES = {
  'tiny.Q8_0.gguf': MODEL,
  'tiny.Q4_K_M.gguf': MODEL,
  'Q4_K_M.imatrix.gguf': Buffer.from('not a model'),
  'README.md': Buffer.from('# Tiny'),
};

let root: string;
let hub: HttpServer;

beforeEach(async () => {
  root = temporaryFolder();
  hub = await startServer(largeFiles(REPOSITORY, FILES));
  vi.stubEnv('HF_ENDPOINT', hub.url);
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
});

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

const put = (source: string) => putPack(source, join(root, 'packs'), join(root, 'cache'));
const manifest = (): unknown =>
  JSON.parse(readFileSync(join(root, 'packs/Tiny-GGUF/manifest.json'), 'utf8'));
const downloads = () => hub.requests.filter((request) => request.includes('/resolve/'));

test.each([
  [REPOSITORY, 'tiny.Q4_K_M.gguf'],
  [`${REPOSITORY}:q8_0`, 'tiny.Q8_0.gguf'],
  [`${REPOSITORY}:tiny.Q8_0.gguf`, 'tiny.Q8_0.gguf'],
])('%s of the hub becomes a pack of that id', async (source, file) => {
  const { name, files } = await put(source);
  expect([name, files]).toEqual(['Tiny-GGUF', ['manifest.json', file]]);
  expect(manifest()).toMatchObject({ id: REPOSITORY, ownedBy: 'some', license: 'unknown' });
  expect(downloads()).toEqual([`GET /${REPOSITORY}/resolve/${COMMIT}/${file}`]);
});

test('a model is downloaded once', async () => {
  await put(REPOSITORY);
  await put(REPOSITORY);
  expect(downloads()).toHaveLength(1);
});

test('a damaged download is not used', async () => {
  const damaged = Buffer.from(MODEL);
  damaged[damaged.length - 1] = 1 + (damaged.at(-1) ?? 0);
  hub.answers[`/${REPOSITORY}/resolve/${COMMIT}/tiny.Q4_K_M.gguf`] = (response) =>
    void response.end(damaged);
  await expect(put(REPOSITORY)).rejects.toThrow('was damaged');
  expect(existsSync(join(root, 'packs'))).toBe(false);
});

test.each([
  ['none/such', 'The hub answered 404 for .* Is the name right'],
  [`${REPOSITORY}:Q2_K`, 'some/Tiny-GGUF has no GGUF file "Q2_K" on the hub'],
  ['nothing', 'There is no file or folder nothing, and no pack of that name'],
])('%s is refused', async (source, message) => {
  await expect(put(source)).rejects.toThrow(new RegExp(message));
});

test('a hub that answers something else, or nothing, is an error', async () => {
  hub.answers[`/api/models/${REPOSITORY}/revision/main`] = sends('{}');
  await expect(put(REPOSITORY)).rejects.toThrow('sha');
  vi.stubEnv('HF_ENDPOINT', await closedServer());
  await expect(put(REPOSITORY)).rejects.toThrow('The hub cannot be reached at http://127.0.0.1');
});

test.each([
  ['tiny-chat', 'tiny-chat'],
  ['smollm2', 'smollm2-135m'],
  ['some/folder/', 'folder'],
  ['some/Tiny-GGUF:Q4_K_M', 'Tiny-GGUF'],
  ['models/a-00001-of-00002.gguf', 'a'],
])('the folder of %s is %s', (source, name) => {
  expect(packName(source)).toBe(name);
});
