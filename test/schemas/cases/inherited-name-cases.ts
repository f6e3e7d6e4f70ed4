import {
  enforced,
  object,
  refused,
  type Case,
  type Refusal,
} from '../../unit/core/grammar/cases/cases.ts';

const STRING = { type: 'string' };
const INTEGER = { type: 'integer' };
const OBJECT = { type: 'object' };

/** Enforced schemas, one for each place that can hold a string of the schema author's choice. */
export const ENFORCED: Record<string, (name: string) => Case> = {
  'an unknown keyword': (name) => enforced({ [name]: {} }, [1, 'a', null, {}, []]),
  'an unknown keyword with a number': (name) => enforced({ [name]: 1 }, [1, 'a', {}]),
  'an unknown keyword with null': (name) => enforced({ [name]: null }, [1, 'a', {}]),
  'an unknown keyword with a list': (name) => enforced({ [name]: ['a'] }, [1, 'a', {}]),
  'an unknown keyword beside a type': (name) =>
    enforced({ ...STRING, [name]: false }, ['a', ''], [1, null]),
  'an unknown keyword beside a keyword that implies a type': (name) =>
    enforced({ maxLength: 1, [name]: 'x' }, ['a'], ['ab', 1]),
  'an unknown keyword beside oneOf': (name) =>
    enforced({ [name]: 1, oneOf: [STRING, INTEGER] }, ['a', 1], [null]),
  'an optional property': (name) =>
    enforced(
      { ...OBJECT, properties: { [name]: INTEGER } },
      [{}, { [name]: 1 }],
      [{ [name]: 'a' }, { a: 1 }],
    ),
  'a required property': (name) =>
    enforced(
      object({ [name]: INTEGER, z: STRING }),
      [{ [name]: 1, z: '' }],
      [{}, { z: '' }, { [name]: 1 }, { [name]: '', z: '' }],
    ),
  'a property that is a property of another': (name) =>
    enforced(
      object({ [name]: object({ [name]: INTEGER }) }),
      [{ [name]: { [name]: 1 } }],
      [{ [name]: {} }, { [name]: 1 }],
    ),
  'a property beside free names': (name) =>
    enforced(
      { ...OBJECT, properties: { [name]: INTEGER }, additionalProperties: STRING },
      [{}, { [name]: 1 }, { a: '' }, { [name]: 1, a: '' }],
      [{ [name]: '' }, { a: 1 }],
    ),
  'a name that is only required': (name) =>
    enforced(
      { ...OBJECT, required: [name] },
      [{ [name]: null }, { [name]: 1, a: 2 }],
      [{}, { a: 1 }],
    ),
  'a required name among free ones': (name) =>
    enforced(
      { ...OBJECT, required: [name], additionalProperties: INTEGER },
      [{ [name]: 1 }],
      [{}, { a: 1 }, { [name]: '' }],
    ),
  'a name in two schemas at once': (name) =>
    enforced(
      { allOf: [{ properties: { [name]: INTEGER } }, { required: [name] }] },
      [{ [name]: 1 }],
      [{}, { [name]: '' }],
    ),
  'a pattern of properties': (name) =>
    enforced(
      { ...OBJECT, patternProperties: { [name]: INTEGER }, additionalProperties: false },
      [{}, { [name]: 1 }, { [`a${name}`]: 1 }],
      [{ [name]: '' }, { a: 1 }],
    ),
  'an anchored pattern of properties': (name) =>
    enforced(
      { ...OBJECT, patternProperties: { [`^${name}$`]: INTEGER }, additionalProperties: STRING },
      [{ [name]: 1 }, { [`a${name}`]: '' }],
      [{ [name]: '' }, { a: 1 }],
    ),
  'a property that a pattern matches': (name) =>
    enforced(
      { ...OBJECT, properties: { [name]: INTEGER }, patternProperties: { '': { minimum: 5 } } },
      [{ [name]: 5 }],
      [{ [name]: 4 }],
    ),
  'the only name of propertyNames': (name) =>
    enforced(
      { ...OBJECT, propertyNames: { enum: [name] }, additionalProperties: INTEGER },
      [{}, { [name]: 1 }],
      [{ a: 1 }, { [name]: '' }],
    ),
  'a name that propertyNames forbids': (name) =>
    enforced(
      { ...OBJECT, properties: { [name]: INTEGER, z: INTEGER }, propertyNames: { maxLength: 1 } },
      [{}, { z: 1 }],
      [{ [name]: 1 }],
    ),
  'a definition': (name) =>
    enforced({ $defs: { [name]: INTEGER }, $ref: `#/$defs/${name}` }, [1], ['a', {}]),
  'a definition of an older draft': (name) =>
    enforced({ definitions: { [name]: INTEGER }, $ref: `#/definitions/${name}` }, [1], ['a']),
  'a definition that refers to itself': (name) =>
    enforced(
      {
        $defs: { [name]: { ...OBJECT, properties: { [name]: { $ref: `#/$defs/${name}` } } } },
        $ref: `#/$defs/${name}`,
      },
      [{}, { [name]: {} }, { [name]: { [name]: {} } }],
      [{ [name]: 1 }, { a: {} }],
    ),
  'a reference to a property': (name) =>
    enforced(
      { properties: { [name]: INTEGER, z: { $ref: `#/properties/${name}` } }, required: ['z'] },
      [{ z: 1 }],
      [{}, { z: '' }],
    ),
  'a format of numbers': (name) => enforced({ type: 'number', format: name }, [1, 1.5], ['a']),
  'a value of enum': (name) => enforced({ enum: [name, 1] }, [name, 1], ['a', 2]),
  const: (name) => enforced({ const: name }, [name], ['a', {}]),
  'a member of const': (name) =>
    enforced({ const: { [name]: [1] } }, [{ [name]: [1] }], [{}, { [name]: [2] }]),
  'a member of a value that is listed twice': (name) =>
    enforced(
      { enum: [{ a: 1, [name]: 2 }, {}], const: { [name]: 2, a: 1 } },
      [{ a: 1, [name]: 2 }],
      [{}, { a: 1 }],
    ),
  'a name that a value of enum must have': (name) =>
    enforced({ enum: [{}, { [name]: 1 }], required: [name] }, [{ [name]: 1 }], [{}]),
  'a name that a value of enum must not have': (name) =>
    enforced({ enum: [{}, { [name]: 1 }], properties: { [name]: STRING } }, [{}], [{ [name]: 1 }]),
  'a pattern': (name) => enforced({ ...STRING, pattern: name }, [name, `a ${name}`], ['a', '']),
  'a format of strings': (name) => enforced({ ...STRING, format: name }, ['a'], [1]),
  'an unknown format': (name) => enforced({ format: name }, ['a', 1], []),
  'a name in dependentRequired': (name) =>
    enforced(
      { ...OBJECT, dependentRequired: { [name]: ['a'] } },
      [{}, { a: 1 }, { [name]: 1, a: 1 }],
      [{ [name]: 1 }],
    ),
  'a name in dependentSchemas': (name) =>
    enforced(
      { ...OBJECT, dependentSchemas: { [name]: { properties: { a: STRING } } } },
      [{ a: 1 }, { a: '', [name]: 1 }],
      [{ a: 1, [name]: 1 }],
    ),
  'a name that must be absent': (name) =>
    enforced({ ...OBJECT, not: { required: [name] } }, [{}, { a: 1 }], [{ [name]: 1 }]),
  'what tells alternatives from each other': (name) =>
    enforced(
      { oneOf: [object({ [name]: { const: 'a' } }), object({ [name]: { const: 'b' } })] },
      [{ [name]: 'a' }, { [name]: 'b' }],
      [{}, { [name]: 'c' }],
    ),
};

/** Refused schemas, one for each such place. */
export const REFUSED: Record<string, (name: string) => Refusal> = {
  'a type': (name) => refused({ type: name }, '.type'),
  'one of several types': (name) => refused({ type: ['string', name] }, '.type'),
  'a reference to an inherited member of a schema': (name) =>
    refused({ $ref: `#/${name}` }, '.$ref'),
  'a reference to an inherited member of the definitions': (name) =>
    refused({ $defs: {}, $ref: `#/$defs/${name}` }, '.$ref'),
  'a reference to an inherited member of a list': (name) =>
    refused({ anyOf: [STRING, { $ref: `#/anyOf/${name}` }] }, '.anyOf[1].$ref'),
  'a property with a number for a schema': (name) =>
    refused({ properties: { [name]: 1 } }, `.properties.${name}`),
  'a required property with no valid value': (name) =>
    refused({ ...OBJECT, properties: { [name]: false }, required: [name] }, ''),
  'a required name that is not allowed': (name) =>
    refused({ ...OBJECT, required: [name], additionalProperties: false }, ''),
};
