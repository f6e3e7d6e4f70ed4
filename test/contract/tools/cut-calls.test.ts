import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openApi } from '../support/api.ts';

const ARGUMENTS = JSON.stringify({
  city: 'Bern "old" \\ töwn 🏙',
  days: [1, -2.5e3, true, false, null, {}, []],
  'a b': { c: ['}'] },
});

const call = (json: string) => ({ name: 'f', arguments: json });
const user = { role: 'user', content: 'Hi' };

/** A history that ends with a call, in each form in which it can reach the API. */
const HISTORIES: [path: string, body: (json: string) => object][] = [
  [
    '/chat/completions',
    (json) => ({
      messages: [
        user,
        { role: 'assistant', tool_calls: [{ id: 'c1', type: 'function', function: call(json) }] },
        { role: 'tool', tool_call_id: 'c1', content: 'cut' },
      ],
    }),
  ],
  [
    '/responses',
    (json) => ({
      input: [
        user,
        { type: 'function_call', call_id: 'c1', ...call(json) },
        { type: 'function_call_output', call_id: 'c1', output: 'cut' },
      ],
    }),
  ],
];

describe.each(HISTORIES)('a call in a history of %s', (path, body) => {
  test('may be cut anywhere, and keeps what was written', async () => {
    const api = await openApi();
    for (let end = 0; end <= ARGUMENTS.length; end++) {
      const cut = ARGUMENTS.slice(0, end).toWellFormed();
      const response = await api.post(path, { model: 'slashv1/tiny-chat', ...body(cut) });
      expect([cut, response.status]).toEqual([cut, 200]);
      const { prompt } = api.engine.last.job;
      const told = prompt.kind === 'chat' ? prompt.messages[1]?.toolCalls?.[0]?.arguments : '';
      expect(JSON.parse(told ?? '')).toBeTypeOf('object');
      if (end === ARGUMENTS.length) expect(told).toBe(ARGUMENTS);
      if (end > 20) expect(told).toContain('"city":"Bern \\"old\\"');
    }
  });

  test.each(['{"city": Bern}', '{"city": "Bern"}}', '[', '"Be', 'Bern', '{]', '{"a" 1'])(
    'is refused if it is no beginning of an object: %s',
    async (json) => {
      const api = await openApi();
      const response = await api.post(path, { model: 'slashv1/tiny-chat', ...body(json) });
      expect(response.status).toBe(400);
    },
  );
});

test('any object may be cut anywhere', async () => {
  const { closedJson } = await import('../../../sw/generation/request/cut-json.ts');
  const object = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue());
  const property = fc.property(object, fc.nat(), fc.nat(3), (value, at, indent) => {
    const json = JSON.stringify(value, undefined, indent);
    const closed = closedJson(json.slice(0, 1 + (at % json.length)));
    expect(JSON.parse(closed ?? '')).toBeTypeOf('object');
  });
  fc.assert(property, { seed: 1, numRuns: 2_000 });
});
