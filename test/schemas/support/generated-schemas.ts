import * as fc from 'fast-check';

/** A schema, and values that are valid under it, written as grammars write them. */
export interface Generated {
  schema: Record<string, unknown>;
  value: fc.Arbitrary<unknown>;
}

const NAMES = ['a', 'ab', 'b', 'kind', 'é', '', 'x y'];
const name = fc.constantFrom(...NAMES);
const word = fc.constantFrom('', 'a', 'ab', 'abc', 'x', 'é"\\', '日本', '\n');
const scalar = fc.oneof(word, fc.integer({ min: -9, max: 30 }), fc.constantFrom(true, null, 1.5));

const text = fc.tuple(fc.nat(20), fc.nat(20)).map(([min, more]): Generated => {
  const bounds = { minLength: min, maxLength: min + more };
  return {
    schema: { type: 'string', ...bounds },
    value: fc.string({ ...bounds, unit: fc.constantFrom('a', 'é', '"', '\\', '\n', '😀') }),
  };
});

const PATTERNS: [pattern: string, value: fc.Arbitrary<string>][] = [
  ['^[a-c]{2,40}$', fc.stringMatching(/^[a-c]{2,40}$/)],
  ['b+$', fc.stringMatching(/^[a-z ]{0,5}b+$/)],
  ['^(?!x)\\w+$', fc.stringMatching(/^[a-w]\w{0,9}$/)],
];
const patterned = fc
  .constantFrom(...PATTERNS)
  .map(([pattern, value]): Generated => ({ schema: { type: 'string', pattern }, value }));

const integer = fc
  .tuple(fc.integer({ min: -50, max: 50 }), fc.nat(300), fc.constantFrom(1, 3, 10))
  .map(([minimum, more, multipleOf]): Generated => ({
    schema: { type: 'integer', minimum, maximum: minimum + more + 10, multipleOf },
    value: fc
      .integer({
        min: Math.ceil(minimum / multipleOf),
        max: Math.floor((minimum + more + 10) / multipleOf),
      })
      .map((factor) => factor * multipleOf),
  }));

const listed = fc
  .uniqueArray(scalar, { minLength: 1, maxLength: 4 })
  .map((values): Generated => ({ schema: { enum: values }, value: fc.constantFrom(...values) }));

const anything = fc.constant<Generated>({
  schema: {},
  value: fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }), fc.dictionary(word, scalar)),
});

/** The schema with one more keyword, under which the values stay valid. */
function withKeyword({ schema, value }: Generated, keyword: string, more: unknown): Generated {
  return { schema: { allOf: [schema], [keyword]: more }, value };
}

function arrayOf(items: Generated, min: number, more: number): Generated {
  const counts = { minItems: min, maxItems: min + more };
  return {
    schema: { type: 'array', items: items.schema, ...counts },
    value: fc.array(items.value, { minLength: min, maxLength: min + more }),
  };
}

function containing(items: Generated, wanted: Generated): Generated {
  const schema = {
    type: 'array',
    items: { anyOf: [items.schema, wanted.schema] },
    contains: wanted.schema,
  };
  const value = fc
    .tuple(
      fc.array(items.value, { maxLength: 3 }),
      wanted.value,
      fc.array(items.value, { maxLength: 2 }),
    )
    .map(([before, one, after]) => [...before, one, ...after]);
  return { schema, value };
}

/** Members come in the order of the schema. */
function objectOf(
  members: [name: string, Generated][],
  required: string[],
  isClosed: boolean,
): Generated {
  const properties = Object.fromEntries(members.map(([key, { schema }]) => [key, schema]));
  const value = fc.record(Object.fromEntries(members.map(([key, one]) => [key, one.value])), {
    requiredKeys: required,
  });
  const ordered = value.map((made) =>
    Object.fromEntries(
      Object.keys(properties).flatMap((key) =>
        Object.hasOwn(made, key) ? [[key, made[key]]] : [],
      ),
    ),
  );
  return {
    schema: {
      type: 'object',
      properties,
      required,
      ...(isClosed && { additionalProperties: false }),
    },
    value: ordered,
  };
}

/** One kind of object or another, by a member that says which. */
function kinds(a: Generated, b: Generated, keyword: 'oneOf' | 'if'): Generated {
  const of = (kind: string, member: Generated) =>
    objectOf(
      [
        ['kind', { schema: { const: kind }, value: fc.constant(kind) }],
        ['x', member],
      ],
      ['kind', 'x'],
      false,
    );
  const [left, right] = [of('a', a), of('b', b)];
  const value = fc.oneof(left.value, right.value);
  if (keyword === 'oneOf') return { schema: { oneOf: [left.schema, right.schema] }, value };
  const isA = { properties: { kind: { const: 'a' } }, required: ['kind'] };
  const schema = {
    type: 'object',
    properties: { kind: { enum: ['a', 'b'] }, x: {} },
    required: ['kind', 'x'],
    if: isA,
    then: { properties: { x: a.schema } },
    else: { properties: { x: b.schema } },
  };
  return { schema, value };
}

const { generated } = fc.letrec<{ generated: Generated }>((tie) => {
  const depthIdentifier = 'generated';
  const one = tie('generated');
  const leaf = fc.oneof(text, patterned, integer, listed, anything);
  const members = fc.uniqueArray(fc.tuple(name, one), {
    maxLength: 4,
    selector: ([key]) => key,
    depthIdentifier,
  });
  return {
    generated: fc.oneof(
      { maxDepth: 3, depthIdentifier },
      leaf,
      fc.tuple(one, fc.nat(2), fc.nat(40)).map(([items, min, more]) => arrayOf(items, min, more)),
      fc.tuple(one, listed).map(([items, wanted]) => containing(items, wanted)),
      fc.tuple(members, fc.subarray(NAMES), fc.boolean()).map(([all, some, isClosed]) =>
        objectOf(
          all,
          some.filter((key) => all.some(([known]) => known === key)),
          isClosed,
        ),
      ),
      fc.tuple(one, one).map(([a, b]): Generated => ({
        schema: { anyOf: [a.schema, b.schema] },
        value: fc.oneof(a.value, b.value),
      })),
      fc
        .tuple(one, one, fc.constantFrom('oneOf' as const, 'if' as const))
        .map(([a, b, how]) => kinds(a, b, how)),
      fc
        .tuple(
          one,
          fc.constantFrom(
            { const: 'never' },
            { type: 'object', required: ['never'] },
            { type: 'null', const: 0 },
          ),
        )
        .map(([given, never]) => withKeyword(given, 'not', never)),
      one.map((given) => withKeyword(given, 'dependentRequired', { never: ['a'] })),
    ),
  };
});

/** Schemas of most kinds, with valid values. */
export const generatedSchemas = generated;
