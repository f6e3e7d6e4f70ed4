import { join } from 'node:path';
import { onTestFinished, test, vi } from 'vitest';
import { createSiteServer } from '../../src/node/serve/site-server.ts';
import { listen } from '../../src/node/serve/listen.ts';
import { builtExample, makeNew } from './support/example.ts';
import { visit } from './support/visit.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

test.each(['webpack', 'rspack', 'esbuild', 'parcel'])(
  'built by %s: a deep route first, then without the server, then after a deploy',
  async (bundler) => {
    const script = `build:${bundler}`;
    const project = await builtExample('bundlers', script);
    const serve = async (port = '0') => {
      const server = createSiteServer(join(project.folder, 'dist', bundler));
      const { origin, close } = await listen(server, Number(port), '--port');
      onTestFinished(close);
      return { origin, port: new URL(origin).port, stop: close };
    };
    const deploy = () => makeNew(project, script);
    await visit({ home: '/', deep: 'deep/page/', asked: 2, serve, deploy });
  },
);
