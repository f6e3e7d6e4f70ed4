import { expect, test } from 'vitest';
import type { Tool } from '../../../../../src/core/operations/jobs/jobs.ts';
import { CALL_FORMS } from '../../text/tools/call-forms.ts';
import { toolsOf } from '../../text/tools/known-call-formats.ts';
import { readCalls } from '../../text/tools/read-calls.ts';

const { callFormat } = toolsOf(CALL_FORMS['an element for each argument']);

const TOOL: Tool = {
  name: 'save',
  parameters: {
    $defs: { Line: { type: 'object', properties: { text: { type: 'string' } } } },
    type: 'object',
    properties: {
      page: { type: 'string' },
      lines: { type: 'array', items: { $ref: '#/$defs/Line' } },
      unit: { anyOf: [{ type: 'string', enum: ['km', 'mi'] }, { type: 'null' }] },
      size: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
      item: { type: 'object', properties: { item: { type: 'array', items: { type: 'string' } } } },
    },
  },
};

const CASES: [what: string, written: string, args: object][] = [
  ['a page of HTML', '<page><p>Hi</p></page>', { page: '<p>Hi</p>' }],
  ['white space', '<page> a\n</page>\n', { page: ' a\n' }],
  ['a number that is a text', '<page>12</page>', { page: '12' }],
  [
    'objects in an array',
    '<lines><item><text>1</text></item>\n<item></item></lines>',
    { lines: [{ text: '1' }, {}] },
  ],
  ['nothing that is null', '<size></size>', { size: null }],
  ['nothing that is no listed text', '<unit></unit><page></page>', { unit: null, page: '' }],
  ['an empty array', '<lines></lines>', { lines: [] }],
  [
    'members that have the name of elements',
    '<item><item><item>a</item></item></item>',
    { item: { item: ['a'] } },
  ],
  [
    'what the tool does not declare',
    '<a><item>1</item><item>x</item></a><b><c>true</c></b><d></d>',
    { a: [1, 'x'], b: { c: true }, d: '' },
  ],
  ['JSON where an array is due', '<lines>[{"text": "1"}]</lines>', { lines: [{ text: '1' }] }],
  ['a name of every object', '<constructor>x</constructor>', { constructor: 'x' }],
];

test.each(CASES)('%s', (_, written, args) => {
  const output = `<tool_call>\n<invoke name="save">${written}</invoke>\n</tool_call>`;
  for (let at = 0; at <= output.length; at++) {
    const { text, calls } = readCalls(callFormat, [TOOL], [output.slice(0, at), output.slice(at)]);
    expect([text, calls.map(({ json }): unknown => JSON.parse(json))]).toEqual(['', [args]]);
  }
});

test('an argument is passed on when it ends', () => {
  const output = '<tool_call><invoke name="save"><page>a</page><page>b';
  expect(readCalls(callFormat, [TOOL], [output]).calls).toEqual([
    { name: 'save', json: '{"page": "a"' },
  ]);
});
