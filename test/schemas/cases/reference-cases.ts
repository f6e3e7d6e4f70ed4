import { enforced, object, type Case } from '../../unit/core/grammar/cases/cases.ts';

const STRING = { type: 'string' };
const INTEGER = { type: 'integer' };

const TREE = {
  $ref: '#/$defs/node',
  $defs: {
    node: object({
      value: INTEGER,
      children: { type: 'array', items: { $ref: '#/$defs/node' } },
    }),
  },
};
const LIST = object({ head: INTEGER, tail: { anyOf: [{ $ref: '#' }, { type: 'null' }] } });

const references = [
  enforced(
    TREE,
    [
      { value: 1, children: [] },
      { value: 1, children: [{ value: 2, children: [] }] },
    ],
    [{ value: 1, children: [{}] }],
  ),
  enforced(
    LIST,
    [
      { head: 1, tail: null },
      { head: 1, tail: { head: 2, tail: null } },
    ],
    [{ head: 1 }],
  ),
  enforced(
    { definitions: { p: STRING }, type: 'array', items: { $ref: '#/definitions/p' } },
    [['a']],
    [[1]],
  ),
  enforced({ $defs: { s: STRING }, $ref: '#/$defs/s', maxLength: 2 }, ['ab'], ['abc']),
  enforced({ $defs: { s: STRING }, allOf: [{ $ref: '#/$defs/s' }], description: 'x' }, ['a'], [1]),
  enforced(
    { $id: 'https://example.com/s', $ref: 'https://example.com/s#/$defs/s', $defs: { s: STRING } },
    ['a'],
  ),
  enforced(
    {
      $defs: { 'a/b': STRING, 'c d': INTEGER },
      anyOf: [{ $ref: '#/$defs/a~1b' }, { $ref: '#/$defs/c%20d' }],
    },
    ['a', 1],
    [null],
  ),
  enforced(
    { properties: { a: INTEGER, b: { $ref: '#/properties/a' } }, required: ['b'] },
    [{ b: 1 }],
    [{ b: '' }],
  ),
  enforced(
    {
      $defs: {
        json: { anyOf: [STRING, INTEGER, { type: 'array', items: { $ref: '#/$defs/json' } }] },
      },
      $ref: '#/$defs/json',
    },
    ['a', [1, ['b', []]]],
    [null],
  ),
  enforced(
    {
      $defs: {
        a: object({ b: { anyOf: [{ $ref: '#/$defs/b' }, { type: 'null' }] } }),
        b: object({ a: { anyOf: [{ $ref: '#/$defs/a' }, { type: 'null' }] } }),
      },
      $ref: '#/$defs/a',
    },
    [{ b: null }, { b: { a: { b: null } } }],
    [{ b: { b: null } }],
  ),
  enforced(
    {
      anyOf: [STRING, object({ never: { $ref: '#/$defs/loop' } })],
      $defs: { loop: object({ again: { $ref: '#/$defs/loop' } }) },
    },
    ['a'],
    [{}],
  ),
];

const besideId = enforced(
  { $id: 'http://localhost/x', $ref: '#/$defs/a', $defs: { a: STRING } },
  ['a'],
  [1],
);

const unknownKeyword = enforced(
  {
    $defs: {
      data: { not: { 'x-list': [{ $id: 'http://localhost/a', type: 'null' }] } },
      schema: { $id: 'http://localhost/a', type: 'string' },
    },
    $ref: 'http://localhost/a',
  },
  ['a'],
  [null, 1],
);

const annotations = [
  enforced(
    {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: 'https://example.com/x',
      $comment: 'c',
      title: 'T',
      description: 'D',
      default: 'd',
      examples: ['e'],
      deprecated: true,
      readOnly: true,
      writeOnly: false,
      type: 'string',
    },
    ['a'],
    [1],
  ),
  enforced(
    {
      type: 'object',
      properties: { title: STRING, default: INTEGER, not: STRING },
      required: ['not'],
    },
    [{ title: '', default: 1, not: '' }],
  ),
  enforced({ type: 'string', 'x-order': 1, discriminator: { propertyName: 'kind' } }, ['a']),
  enforced({ type: 'string', contentEncoding: 'base64', contentMediaType: 'image/png' }, ['a']),
];

export const REFERENCE_CASES: Case[] = [...references, besideId, unknownKeyword, ...annotations];
