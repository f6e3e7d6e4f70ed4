import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../scripts/build/stamp.ts';
import { CURATED } from '../../src/console/models/best/curated.ts';
import { listenAnywhere } from '../browser/support/servers.ts';

interface Run {
  code: number;
  lines: string[];
}

function check(hub: string): Promise<Run> {
  return new Promise((resolve) => {
    execFile(process.execPath, [join(ROOT, 'scripts/curated.ts'), hub], (error, stdout) =>
      resolve({ code: error ? 1 : 0, lines: stdout.trim().split('\n') }),
    );
  });
}

test('each curated model is compared with the hub: files, size, licence and whether it is open to all', async () => {
  const [other] = CURATED.slice(-1);
  const server = createServer((request, response) => {
    const model = CURATED.find(({ id }) => request.url?.startsWith(`/api/models/${id}?`));
    const isOther = model === other;
    const siblings = [
      { rfilename: 'README.md', size: 9 },
      { rfilename: model?.file ?? 'params_shard_0.bin', size: (model?.bytes ?? 0) * 1.01 },
    ];
    const tags = [`license:${isOther ? 'llama3' : model?.license}`];
    response.end(JSON.stringify({ gated: isOther ? 'manual' : false, tags, siblings }));
  });
  const { origin, close } = await listenAnywhere(server);
  const { code, lines } = await check(origin);
  await close();
  expect(code).toBe(1);
  expect(lines.slice(0, -1)).toEqual(CURATED.slice(0, -1).map(({ id }) => `${id}: ok`));
  expect(lines.at(-1)).toBe(`${other?.id}: failed: is gated; has license:llama3`);
});

test('without a hub, each model is skipped by name', async () => {
  const server = createServer();
  const { origin, close } = await listenAnywhere(server);
  await close();
  const { code, lines } = await check(origin);
  expect(code).toBe(0);
  expect(lines).toEqual(CURATED.map(({ id }) => `${id}: skipped: the hub cannot be reached`));
});
