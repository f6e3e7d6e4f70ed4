import { Anthropic } from '@anthropic-ai/sdk';
import { OpenAI } from 'openai';
import { expect, test, vi } from 'vitest';
import { USE_EACH } from '../browser/support/scripted/said.ts';
import { asClaudeCode, asCodex, UPDATED, type Done } from '../contract/clients/agent-shapes.ts';
import { KEY, TINY } from './support/asking.ts';
import { scriptedServe } from './support/scripted-serve.ts';

// A browser starts slowly on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const DONE: Done = {
  calls: [
    ['Read', { file_path: 'file_path' }],
    ['Edit', { file_path: 'file_path', old_string: 'old_string', new_string: 'new_string' }],
  ],
  answer: `The function says: ${UPDATED}`,
};

const baseURL = scriptedServe();

test('Claude Code’s requests complete a task of two steps', async () => {
  const client = new Anthropic({ baseURL: baseURL().replace(/\/v1$/, ''), apiKey: KEY });
  expect(await asClaudeCode(client, TINY, USE_EACH)).toEqual(DONE);
});

test('Codex’s requests complete a task of two steps', async () => {
  const client = new OpenAI({ baseURL: baseURL(), apiKey: KEY });
  expect(await asCodex(client, TINY, USE_EACH)).toEqual(DONE);
});
