import { expect, test } from 'vitest';
import type { HubFiles } from '../../../../src/core/catalog/variant.ts';
import { onnxInstaller } from '../../../../src/engine/onnx/installation.ts';
import { COMMIT, REPOSITORY, startHub } from '../../support/servers/hub-server.ts';
import { NEVER } from '../../support/never.ts';

async function plan(...files: HubFiles[]) {
  const hub = await startHub();
  const source = { kind: 'hub' as const, repository: REPOSITORY, files };
  return { hub, ...(await onnxInstaller(hub.url).plan(source, NEVER)) };
}

test('ONNX graphs are installed with the files that their list names, in its folders', async () => {
  const { hub, revision, files } = await plan(
    { repository: REPOSITORY, paths: ['tokenizer.json', 'params_shard_*'] },
    { repository: REPOSITORY, paths: ['tensor-cache.json'], folder: 'vocoder/' },
  );
  expect(revision).toBe(`${COMMIT}-${COMMIT}`);
  const paths = ['tokenizer.json', 'params_shard_0.bin', 'params_shard_1.bin'];
  expect(files.map(({ path }) => path)).toEqual([...paths, 'vocoder/tensor-cache.json']);
  expect(files.at(-1)?.url).toBe(`${hub.url}${REPOSITORY}/resolve/${COMMIT}/tensor-cache.json`);
});

test.each(['missing.onnx', 'missing*'])('%s on the hub is an error that names it', async (path) => {
  await expect(plan({ repository: REPOSITORY, paths: [path] })).rejects.toMatchObject({
    data: { code: 'engine_error', message: `${REPOSITORY} on the hub has no ${path}.` },
  });
});
