import { describe, expect, test } from 'vitest';
import { checkRequest } from '../../../sw/checking/check-request.ts';
import { MODEL, openApi } from '../support/api.ts';
import { json, type ErrorBody } from '../support/read.ts';

const LONG = 'f'.repeat(128);

/** How each endpoint writes a function, a tool that only servers have, and a choice of it. */
const ENDPOINTS = [
  {
    path: '/chat/completions',
    body: { messages: [{ role: 'user', content: 'Hi' }] },
    tool: (name: string) => ({ type: 'function', function: { name } }),
    other: { type: 'custom', custom: { name: 'patch' } },
    named: { type: 'custom', custom: { name: 'patch' } },
    allowed: (tools: object[]) => ({
      type: 'allowed_tools',
      allowed_tools: { mode: 'auto', tools },
    }),
    must: 'required',
    longest: 64,
  },
  {
    path: '/responses',
    body: { input: 'Hi' },
    tool: (name: string) => ({ type: 'function', name }),
    other: { type: 'local_shell' },
    named: { type: 'local_shell' },
    allowed: (tools: object[]) => ({ type: 'allowed_tools', mode: 'auto', tools }),
    must: 'required',
    managesContext: true,
    longest: 128,
  },
  {
    path: '/messages',
    body: { max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] },
    tool: (name: string) => ({ name, input_schema: { type: 'object' } }),
    other: { type: 'web_search_20250305', name: 'web_search', max_uses: 5 },
    named: { type: 'tool', name: 'web_search' },
    must: { type: 'any' },
    managesContext: true,
    longest: 128,
  },
];

type EndpointTools = (typeof ENDPOINTS)[number];

async function post({ path, body }: EndpointTools, more: object) {
  const api = await openApi();
  const request = { model: MODEL, ...body, ...more };
  return { api, request, response: await api.post(path, request) };
}

/** The fields that `checkRequest` calls ignored. */
const ignoredIn = ({ path }: EndpointTools, request: object) =>
  checkRequest('POST', path, request)
    .filter(({ kind }) => kind === 'ignored')
    .map(({ field }) => field);

describe.each(ENDPOINTS)('$path', (endpoint) => {
  const { tool, other, named, must, longest } = endpoint;
  const ask = (more: object) => post(endpoint, more);

  test('leaves out tools that only servers have, and names them', async () => {
    const { api, request, response } = await ask({ tools: [other, tool('f'), other] });
    expect(response.status).toBe(200);
    expect(ignoredIn(endpoint, request)).toEqual(['tools[0]', 'tools[2]']);
    expect(api.engine.last.job.tools?.tools.map(({ name }) => name)).toEqual(['f']);
    const { type } = other;
    expect(response.headers.get('x-slashv1-ignored')).toBe(
      `tools[0] (${type}), tools[2] (${type})`,
    );
  });

  test('names the tool of the request that is at fault', async () => {
    const wrong = { type: 'object', properties: { a: { not: {} } }, required: ['a'] };
    const given = { parameters: wrong, input_schema: wrong, strict: true };
    const at = tool('g');
    const faulty =
      'function' in at ? { ...at, function: { name: 'g', ...given } } : { ...at, ...given };
    const { response } = await ask({ tools: [other, tool('f'), faulty] });
    expect(response.status).toBe(400);
    const { error } = await json<ErrorBody>(response);
    expect(error.param).toMatch(/^tools\[2\]/);
  });

  test('refuses them if the request insists', async () => {
    for (const choice of [named, must]) {
      const { response } = await ask({ tools: [other], tool_choice: choice });
      expect([choice, response.status]).toEqual([choice, 400]);
    }
  });

  test('answers without a header if nothing is left out', async () => {
    const { request, response } = await ask({ tools: [tool('f')] });
    expect(response.headers.has('x-slashv1-ignored')).toBe(false);
    expect(ignoredIn(endpoint, request)).toEqual([]);
  });

  test(`takes names of ${longest} characters`, async () => {
    const fits = await ask({ tools: [tool(LONG.slice(0, longest))] });
    expect(fits.response.status).toBe(200);
    const tooLong = await ask({ tools: [tool('f'.repeat(longest + 1))] });
    expect(tooLong.response.status).toBe(400);
  });
});

test.each(ENDPOINTS.filter(({ allowed }) => allowed))(
  '$path leaves them out among the allowed tools',
  async (endpoint) => {
    const { tool, other, allowed } = endpoint;
    const { api, response } = await post(endpoint, {
      tools: [other, tool('f'), tool('g')],
      tool_choice: allowed?.([other, tool('g')]),
    });
    expect(response.status).toBe(200);
    expect(api.engine.last.job.tools?.allowed).toEqual(['g']);
  },
);

test.each(ENDPOINTS.filter(({ managesContext }) => managesContext))(
  '$path leaves out context_management',
  async (endpoint) => {
    const { request, response } = await post(endpoint, { context_management: { edits: [] } });
    expect(response.status).toBe(200);
    expect(response.headers.get('x-slashv1-ignored')).toBe('context_management');
    expect(ignoredIn(endpoint, request)).toEqual(['context_management']);
  },
);
