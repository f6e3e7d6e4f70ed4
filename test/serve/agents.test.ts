import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Anthropic } from '@anthropic-ai/sdk';
import { OpenAI } from 'openai';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { buildSite, SITE } from '../../scripts/build.ts';
import { defaultPacks } from '../../scripts/packs.ts';
import { catalogOf } from '../browser/support/scripted/catalog.ts';
import { USE_EACH } from '../browser/support/scripted/said.ts';
import type { Scenario } from '../browser/support/scripted/scenario.ts';
import { buildTestPage, SCRIPTS } from '../browser/support/site.ts';
import { asClaudeCode, asCodex, UPDATED, type Done } from '../contract/agent-shapes.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { KEY, TINY } from './support/asking.ts';
import { startServe } from './support/serve-process.ts';

// A browser starts slowly on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const SCENARIO: Scenario = {
  catalog: catalogOf(['tiny-chat']),
  gpu: 'software',
  hub: [],
  learnt: {},
  pictures: {},
  held: {},
  heard: '',
  speed: 1,
};
const DONE: Done = {
  calls: [
    ['Read', { file_path: 'file_path' }],
    ['Edit', { file_path: 'file_path', old_string: 'old_string', new_string: 'new_string' }],
  ],
  answer: `The function says: ${UPDATED}`,
};

const folder = join(temporaryFolder(afterAll), 'site');
let serve: ReturnType<typeof startServe>;
let baseURL: string;

/** Our own site, whose engine follows a script. */
async function makeSite(): Promise<void> {
  await buildSite({ packs: await defaultPacks() });
  await buildTestPage(['scripted-engine']);
  cpSync(SITE, folder, { recursive: true, filter: (path) => !path.includes('/packs/') });
  writeFileSync(join(folder, 'packs/index.json'), '{"packs":[]}');
  const script = readFileSync(join(SCRIPTS, 'scripted-engine.js'), 'utf8');
  const scenario = `self.scenario = ${JSON.stringify(SCENARIO)};`;
  writeFileSync(join(folder, 'engine.js'), `${scenario}\n${script}`);
}

beforeAll(async () => {
  await makeSite();
  serve = startServe(['--key', KEY, '--model', TINY], {}, folder);
  [, baseURL = ''] = /^ready (\S+) /.exec(await serve.ready()) ?? [];
}, 300_000);

afterAll(async () => {
  serve.kill('SIGTERM');
  await serve.ended;
});

test('Claude Code’s requests complete a task of two steps', async () => {
  const client = new Anthropic({ baseURL: baseURL.replace(/\/v1$/, ''), apiKey: KEY });
  expect(await asClaudeCode(client, TINY, USE_EACH)).toEqual(DONE);
});

test('Codex’s requests complete a task of two steps', async () => {
  expect(await asCodex(new OpenAI({ baseURL, apiKey: KEY }), TINY, USE_EACH)).toEqual(DONE);
});
