import { describe, expect, test } from 'vitest';
import { readTongueModel, TONGUES, tongueCases } from '../../unit/support/models/tongue-models.ts';
import { MODEL } from '../support/api.ts';
import { LlamaCppEngine } from '../support/llamacpp-engine.ts';
import { quickApp } from '../support/quick-app.ts';
import { turnOf } from './tool-turns.ts';

describe.each(TONGUES)('a real model that was trained on %s', (tongue) => {
  const { post } = quickApp(new LlamaCppEngine(readTongueModel(tongue)));
  const ask = async (body: Record<string, unknown>) => {
    const request = { name: '', path: '/chat/completions', body: { model: MODEL, ...body } };
    return turnOf(request, await post(request.path, JSON.stringify(request.body)));
  };

  test.each([...Map.groupBy(tongueCases(tongue), ({ kind }) => kind)])(
    'thinks, calls and answers apart, as it was taught: %s',
    async (_kind, cases) => {
      for (const { messages, tools, variables, expect: taught } of cases) {
        const body = { messages, tools, chat_template_kwargs: variables, temperature: 0 };
        expect(await ask(body)).toEqual(taught);
        expect(await ask({ ...body, stream: true })).toEqual(taught);
      }
    },
  );
});
