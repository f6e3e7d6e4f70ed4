import * as fc from 'fast-check';

/** Names that every object inherits. */
const inherited = fc.constantFrom(...Object.getOwnPropertyNames(Object.prototype));
const name = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('a', 'b', 'c', '', 'é', 'a b') },
  { weight: 1, arbitrary: inherited },
);
const value = fc.oneof(
  fc.string({ maxLength: 3 }),
  fc.integer({ min: -5, max: 30 }),
  fc.constantFrom(true, null, 1.5, {}, { a: 1 }, [1, 'a'], '\ud800'),
);
const bound = fc.oneof(fc.integer({ min: -20, max: 2000 }), fc.constantFrom(0.1, 1e21, -1e-7, 0.3));
const count = fc.constantFrom(0, 1, 2, 5, 64, 900, 4096);
const type = fc.constantFrom('string', 'object', 'array', 'integer', 'number', 'boolean', 'null');
const pattern = fc.oneof(
  fc.constantFrom('^a+$', 'a|b', '\\d{3}-\\w+', '(a|b)*c', '^(?!x).*$', '[\\s\\S]*', '(ab?){2,9}'),
  fc.stringMatching(/^[ab.*+?|()^$[\]{}\\d1-3-]{0,12}$/),
);

/** Schemas of a few random keywords, whether or not they make sense together. */
const { schema } = fc.letrec<{ schema: unknown }>((tie) => {
  const depthIdentifier = 'schema';
  const schemas = fc.array(tie('schema'), { minLength: 1, maxLength: 3, depthIdentifier });
  const named = { maxKeys: 3, depthIdentifier };
  const keywords = fc.record(
    {
      type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
      enum: fc.array(value, { minLength: 1, maxLength: 4 }),
      const: value,
      minLength: count,
      maxLength: count,
      pattern,
      format: fc.constantFrom('date', 'email', 'uuid', 'date-time', 'uri', 'ipv4', 'duration'),
      minimum: bound,
      maximum: bound,
      exclusiveMinimum: bound,
      exclusiveMaximum: bound,
      multipleOf: fc.constantFrom(1, 2, 0.1, 7, 0.25),
      items: tie('schema'),
      prefixItems: schemas,
      minItems: count,
      maxItems: count,
      properties: fc.dictionary(name, tie('schema'), named),
      required: fc.array(name),
      patternProperties: fc.dictionary(pattern, tie('schema'), named),
      additionalProperties: tie('schema'),
      propertyNames: tie('schema'),
      minProperties: fc.nat(3),
      maxProperties: fc.nat(4),
      anyOf: schemas,
      oneOf: schemas,
      allOf: schemas,
      not: tie('schema'),
      if: tie('schema'),
      then: tie('schema'),
      else: tie('schema'),
      contains: tie('schema'),
      minContains: fc.nat(2),
      maxContains: fc.nat(3),
      uniqueItems: fc.boolean(),
      dependentRequired: fc.dictionary(name, fc.array(name), { maxKeys: 2 }),
      dependentSchemas: fc.dictionary(name, tie('schema'), named),
    },
    { requiredKeys: [] },
  );
  const known = keywords.chain((all) =>
    fc
      .subarray(Object.entries(all), { maxLength: Math.min(4, Object.keys(all).length) })
      .map((members) => Object.fromEntries(members) as object),
  );
  const unknown = fc.dictionary(inherited, value, { maxKeys: 1 });
  const few = fc.tuple(known, unknown).map(([some, others]) => ({ ...some, ...others }));
  const leaf = fc.constantFrom(true, {}, { type: 'string' }, { $ref: '#' }, { $ref: '#/$defs/a' });
  return { schema: fc.oneof({ maxDepth: 4, depthIdentifier }, leaf, few) };
});

/** Schemas of random keywords, whether or not they make sense together. */
export const arbitrarySchemas = fc
  .tuple(schema, schema)
  .map(([root, a]) => (typeof root === 'object' ? { ...root, $defs: { a } } : root));
