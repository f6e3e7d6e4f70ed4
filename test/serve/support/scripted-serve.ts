import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { buildSite, SITE } from '../../../scripts/build.ts';
import { defaultPacks } from '../../../scripts/build/packs.ts';
import { catalogOf } from '../../browser/support/scripted/catalog.ts';
import type { Scenario } from '../../browser/support/scripted/scenario.ts';
import { buildTestPage, SCRIPTS } from '../../browser/support/site.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { KEY, TINY } from './asking.ts';
import { startServe } from './serve-process.ts';

const SCENARIO: Scenario = {
  catalog: catalogOf(['tiny-chat']),
  gpu: 'software',
  hasF16: false,
  hub: [],
  learnt: {},
  pictures: {},
  held: {},
  heard: '',
  keptBytes: 0,
  isListHeld: false,
  speed: 1,
};

/**
 * Serves our own site, whose engine follows a script (see `said`), during the tests of a file.
 *
 * @returns where the API is, as soon as tests run
 */
export function scriptedServe(): () => string {
  const folder = join(temporaryFolder(afterAll), 'site');
  let serve: ReturnType<typeof startServe> | undefined;
  let baseURL = '';
  beforeAll(async () => {
    await makeSite(folder);
    serve = startServe(['--key', KEY, '--model', TINY], {}, folder);
    [, baseURL = ''] = /^ready (\S+) /.exec(await serve.ready()) ?? [];
  }, 300_000);
  afterAll(async () => {
    serve?.kill('SIGTERM');
    await serve?.ended;
  });
  return () => baseURL;
}

async function makeSite(folder: string): Promise<void> {
  await buildSite({ packs: await defaultPacks() });
  await buildTestPage(['scripted-engine']);
  cpSync(SITE, folder, { recursive: true, filter: (path) => !path.includes('/packs/') });
  writeFileSync(join(folder, 'packs/index.json'), '{"packs":[]}');
  const script = readFileSync(join(SCRIPTS, 'scripted-engine.js'), 'utf8');
  const scenario = `self.scenario = ${JSON.stringify(SCENARIO)};`;
  writeFileSync(join(folder, 'engine.js'), `${scenario}\n${script}`);
}
