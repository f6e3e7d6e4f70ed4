import * as z from 'zod';
import { enforced, type Case } from '../../unit/core/grammar/cases/cases.ts';

/** A zod type as JSON Schema, in the two drafts that clients use. */
function zod(type: z.ZodType, valid: unknown[], invalid: unknown[] = []): Case[] {
  return (['draft-2020-12', 'draft-7'] as const).map((target) =>
    enforced(z.toJSONSchema(type, { target }), valid, invalid),
  );
}

const Step = z.object({ explanation: z.string(), output: z.string() });
interface Category {
  name: string;
  parts: Category[];
}
const Category: z.ZodType<Category> = z.object({
  name: z.string(),
  get parts() {
    return z.array(Category);
  },
});
const Shape = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('circle'), radius: z.number().positive() }),
  z.object({ kind: z.literal('square'), side: z.number().min(0).max(10) }),
]);

const fromZod = [
  ...zod(z.object({ steps: z.array(Step), answer: z.string() }), [
    { steps: [{ explanation: 'x', output: 'y' }], answer: 'z' },
  ]),
  ...zod(Category, [{ name: 'a', parts: [{ name: 'b', parts: [] }] }], [{ name: 'a' }]),
  ...zod(
    Shape,
    [
      { kind: 'circle', radius: 1.5 },
      { kind: 'square', side: 3 },
    ],
    [{ kind: 'circle', radius: 0 }],
  ),
  ...zod(
    z.object({ age: z.int().min(0).max(150), name: z.string().min(1).max(40) }),
    [{ age: 42, name: 'Ann' }],
    [
      { age: 151, name: 'Ann' },
      { age: 1, name: '' },
    ],
  ),
  ...zod(z.object({ id: z.int() }), [{ id: 1 }], [{ id: 1.5 }]),
  ...zod(z.object({ size: z.int32() }), [{ size: -5 }], [{ size: 3_000_000_000 }]),
  ...zod(
    z.object({ a: z.string().optional(), b: z.string().nullable() }),
    [...[{ b: null }, { a: 'x', b: 'y' }]],
    [{ a: 'x' }],
  ),
  ...zod(
    z.object({
      tags: z
        .array(z.enum(['x', 'y']))
        .min(1)
        .max(3),
    }),
    [{ tags: ['x', 'y'] }],
    [{ tags: [] }],
  ),
  ...zod(z.record(z.string(), z.number()), [{ a: 1 }], [{ a: 'x' }]),
  ...zod(z.record(z.enum(['a', 'b']), z.boolean()), [{ a: true, b: false }], [{ c: true }]),
  ...zod(z.union([z.string(), z.number(), z.null()]), ['a', 1, null], [true]),
  ...zod(z.literal(['a', 1]), ['a', 1], ['b']),
  ...zod(z.email(), ['a.b@example.com'], ['a..b@example.com', '.a@b.co']),
  ...zod(z.url(), ['https://example.com/x'], ['example']),
  ...zod(z.uuid(), ['123e4567-e89b-42d3-a456-426614174000'], ['x']),
  ...zod(z.iso.datetime(), ['2024-05-01T10:00:00Z'], ['2024-05-01']),
  ...zod(z.iso.date(), ['2024-02-29'], ['2023-02-29']),
  ...zod(z.iso.duration(), ['P1D'], ['1D']),
  ...zod(z.ipv4(), ['10.0.0.1'], ['10.0.0']),
  ...zod(z.ipv6(), ['::1'], ['1']),
  ...zod(z.base64(), ['QUJD'], ['Q']),
  ...zod(z.e164(), ['+14155552671'], ['1']),
  ...zod(z.cuid(), ['cjld2cjxh0000qzrmn831i7rn'], ['x']),
  ...zod(z.nanoid(), ['V1StGXR8_Z5jdHi6B-myT'], ['x']),
  ...zod(z.ulid(), ['01ARZ3NDEKTSV4RRFFQ69G5FAV'], ['x']),
  ...zod(z.string().startsWith('ab').endsWith('z'), ['abz', 'ab-z'], ['abc', 'z']),
  ...zod(z.string().includes('mid'), ['a mid b'], ['x']),
  ...zod(z.string().regex(/^[A-Z]{2}\d+$/), ['AB1'], ['A1']),
  ...zod(z.string().lowercase(), ['abc é'], ['ABC']),
  ...zod(z.number().gt(0).lt(1), [0.5], [0, 1]),
  ...zod(z.number().multipleOf(5).min(0).max(50), [5, 50], [7]),
  ...zod(z.any(), [1, { a: [] }]),
  ...zod(z.strictObject({ a: z.boolean() }), [{ a: true }], [{ a: true, b: 1 }]),
  ...zod(z.looseObject({ a: z.boolean() }), [{ a: true }, { a: true, b: 1 }], [{}]),
  enforced(z.toJSONSchema(z.tuple([z.string(), z.number()])), [['a', 1]], [['a']]),
  ...zod(z.json(), [{ a: [1, null, 'x', true] }]),
];

/** Models as pydantic 2 writes them. */
const fromPydantic = [
  enforced(
    {
      $defs: {
        Color: { enum: ['red', 'blue'], title: 'Color', type: 'string' },
        Address: {
          properties: {
            street: { title: 'Street', type: 'string' },
            zip: { anyOf: [{ type: 'string' }, { type: 'null' }], default: null, title: 'Zip' },
          },
          required: ['street'],
          title: 'Address',
          type: 'object',
        },
      },
      properties: {
        name: { maxLength: 20, minLength: 1, title: 'Name', type: 'string' },
        age: { exclusiveMinimum: 0, maximum: 150, title: 'Age', type: 'integer' },
        score: { minimum: 0, exclusiveMaximum: 1, title: 'Score', type: 'number' },
        color: { $ref: '#/$defs/Color', default: 'red' },
        addresses: { items: { $ref: '#/$defs/Address' }, title: 'Addresses', type: 'array' },
        born: { format: 'date', title: 'Born', type: 'string' },
        meta: { additionalProperties: { type: 'integer' }, title: 'Meta', type: 'object' },
      },
      required: ['name', 'age', 'addresses'],
      title: 'Person',
      type: 'object',
    },
    [
      { name: 'Ann', age: 3, addresses: [] },
      {
        name: 'Ann',
        age: 3,
        color: 'blue',
        addresses: [{ street: 'x', zip: null }],
        meta: { a: 1 },
      },
    ],
    [
      { name: '', age: 3, addresses: [] },
      { name: 'Ann', age: 0, addresses: [] },
    ],
  ),
  enforced(
    {
      $defs: {
        Cat: {
          properties: {
            kind: { const: 'cat', title: 'Kind', type: 'string' },
            lives: { type: 'integer' },
          },
          required: ['kind', 'lives'],
          type: 'object',
        },
        Dog: {
          properties: {
            kind: { const: 'dog', title: 'Kind', type: 'string' },
            name: { type: 'string' },
          },
          required: ['kind', 'name'],
          type: 'object',
        },
      },
      properties: {
        pet: {
          discriminator: {
            mapping: { cat: '#/$defs/Cat', dog: '#/$defs/Dog' },
            propertyName: 'kind',
          },
          oneOf: [{ $ref: '#/$defs/Cat' }, { $ref: '#/$defs/Dog' }],
        },
      },
      required: ['pet'],
      type: 'object',
    },
    [{ pet: { kind: 'cat', lives: 9 } }, { pet: { kind: 'dog', name: 'x' } }],
    [{ pet: { kind: 'cat', name: 'x' } }],
  ),
  enforced(
    {
      properties: {
        pair: {
          maxItems: 2,
          minItems: 2,
          prefixItems: [{ type: 'integer' }, { type: 'string' }],
          type: 'array',
        },
        when: { format: 'date-time', type: 'string' },
        secret: { format: 'password', type: 'string', writeOnly: true },
        amount: {
          anyOf: [
            { type: 'number' },
            { type: 'string', pattern: '^(?!^[-+.]*$)[+-]?0*\\d*\\.?\\d*$' },
          ],
        },
      },
      required: ['pair'],
      type: 'object',
    },
    [{ pair: [1, 'a'] }, { pair: [1, 'a'], when: '2024-05-01T10:00:00Z' }],
    [{ pair: [1] }],
  ),
];

export const CLIENT_CASES: Case[] = [...fromZod, ...fromPydantic];
