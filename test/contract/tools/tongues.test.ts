import { expect, test } from 'vitest';
import {
  CALL_FORMS,
  thinkingForm,
  type CallForm,
} from '../../unit/engine/text/tools/call-forms.ts';
import { MODEL } from '../support/api.ts';
import { quickApp } from '../support/quick-app.ts';
import { TongueEngine } from './tongue-engine.ts';
import { toolRequests, turnOf } from './tool-turns.ts';

const FORMS = Object.keys(CALL_FORMS) as CallForm[];
const REQUESTS = toolRequests();

test.each(FORMS)(
  'a client gets the call of a model that writes %s, and its thought apart',
  async (form) => {
    const engine = new TongueEngine(thinkingForm(form));
    expect(engine.format.isNative).toBe(true);
    const { post } = quickApp(engine);
    for (const request of REQUESTS) {
      const response = await post(request.path, JSON.stringify({ ...request.body, model: MODEL }));
      expect([request.name, response.status]).toEqual([request.name, 200]);
      expect([request.name, await turnOf(request, response)]).toEqual([request.name, engine.turn]);
    }
  },
);

test('agents offer functions beside tools that only servers have, and the model is offered the functions', async () => {
  const engine = new TongueEngine(thinkingForm('a JSON object in marks'));
  const { post } = quickApp(engine);
  const headers = [];
  for (const { path, body } of REQUESTS.slice(0, 2)) {
    const response = await post(path, JSON.stringify({ ...body, model: MODEL }));
    headers.push(response.headers.get('x-slashv1-ignored'));
    await response.text();
  }
  expect(headers).toEqual([
    'tools[2] (web_search_20250305), context_management',
    'tools[1] (custom), tools[2] (web_search), tools[3] (local_shell)',
  ]);
  expect(engine.prompts.map((prompt) => /web_search|apply_patch|local_shell/.test(prompt))).toEqual(
    [false, false],
  );
  expect(engine.prompts.every((prompt) => prompt.includes('I list the files.'))).toBe(true);
});
