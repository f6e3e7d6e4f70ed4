import { expect, test } from 'vitest';
import { MODEL } from '../contract/support/api.ts';
import { quickApp } from '../contract/support/quick-app.ts';
import { TongueEngine } from '../contract/tools/tongue-engine.ts';
import { toolRequests, turnOf } from '../contract/tools/tool-turns.ts';
import { packageTemplates } from './support/package-templates.ts';

const REQUESTS = toolRequests();

test.each(packageTemplates())(
  'clients get the calls of $name, and its thoughts apart',
  async ({ source }) => {
    const engine = new TongueEngine(source);
    const { post } = quickApp(engine);
    for (const request of REQUESTS) {
      const response = await post(request.path, JSON.stringify({ ...request.body, model: MODEL }));
      expect([request.name, response.status]).toEqual([request.name, 200]);
      expect([request.name, await turnOf(request, response)]).toEqual([request.name, engine.turn]);
    }
  },
);
