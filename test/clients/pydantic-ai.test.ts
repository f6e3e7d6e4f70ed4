import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { USE_EACH } from '../browser/support/scripted/said.ts';
import { KEY, TINY } from '../serve/support/asking.ts';
import { scriptedServe } from '../serve/support/scripted-serve.ts';
import { PYTHON_CLIENTS } from './install-clients.ts';

vi.setConfig({ testTimeout: 120_000 });

const SCRIPT = join(import.meta.dirname, 'agents.py');
const WEATHER = ['weather', { city: 'city' }];
const DONE = {
  calls: [WEATHER, ['distance', { start: 'start', end: 'end' }]],
  answer: 'The function says: {"between":["start","end"],"unit":"km","distance":3}',
};

const baseURL = scriptedServe();
let done: Record<string, unknown>;

beforeAll(async () => {
  const args = [SCRIPT, baseURL(), KEY, TINY, USE_EACH];
  const { stdout } = await promisify(execFile)(PYTHON_CLIENTS, args, { timeout: 120_000 });
  done = JSON.parse(stdout) as Record<string, unknown>;
}, 180_000);

describe.each(['chat completions', 'responses', 'messages'])(
  'an agent of pydantic-ai, over %s',
  (api) => {
    test('uses its tools, streamed and at once, and goes on with the conversation', () => {
      expect(done[api]).toMatchObject({ 'at once': DONE, streamed: DONE, followed: 'tea' });
    });

    test('answers in the type that it was asked for', () => {
      const answer = { city: 'city', country: null };
      const calls = [WEATHER, ['final_result', { city: 'city' }]];
      expect(done[api]).toMatchObject({ typed: { calls, answer } });
    });
  },
);
