import type { Reason } from './reasons.ts';

interface Expected {
  schemas: number;
  /** Schemas whose keyword is an annotation here, although the suite has values that it forbids. */
  annotations: string[];
  /** How many schemas refuse a valid value, by reason. */
  narrower: Partial<Record<Reason, number>>;
  /** How many schemas are refused, by reason. */
  refused: Record<string, number>;
}

/** What docs/generation.md says, counted. A change of these numbers is a change of what it says. */
export const EXPECTED: Record<string, Expected> = {
  'draft2020-12': {
    schemas: 438,
    annotations: [],
    narrower: {
      'a value of a type that no keyword is about': 63,
      'a format is narrower, and is held in every draft': 32,
      'a number with too many digits': 3,
      'members in another order': 1,
      'a vocabulary that leaves out validation': 1,
    },
    refused: {
      'unevaluatedProperties is not supported.': 44,
      'unevaluatedItems is not supported.': 27,
      '$ref points out of the schema: ….': 22,
      '$dynamicRef is not supported.': 15,
      'is unsatisfiable: no value is valid under it.': 12,
      'uniqueItems is supported only for a list of values, as of enum.': 3,
      'pattern uses \\p, which is not supported.': 2,
      'patternProperties uses \\p, which is not supported.': 2,
      'exclusiveMaximum must be at most 2^53 - 1 in magnitude.': 1,
      'exclusiveMinimum must be at most 2^53 - 1 in magnitude.': 1,
      'is too complex.': 1,
    },
  },
  draft7: {
    schemas: 311,
    annotations: [
      'optional/content: validation of string-encoded content based on media type',
      'optional/content: validation of binary string-encoding',
      'optional/content: validation of binary-encoded media type documents',
    ],
    narrower: {
      'a value of a type that no keyword is about': 59,
      'a format is narrower, and is held in every draft': 12,
      'a number with too many digits': 3,
      'members in another order': 1,
    },
    refused: {
      '$ref points out of the schema: ….': 14,
      'is unsatisfiable: no value is valid under it.': 11,
      'uniqueItems is supported only for a list of values, as of enum.': 3,
      'pattern uses \\p, which is not supported.': 2,
      'patternProperties uses \\p, which is not supported.': 2,
      'exclusiveMaximum must be at most 2^53 - 1 in magnitude.': 1,
      'exclusiveMinimum must be at most 2^53 - 1 in magnitude.': 1,
      'is too complex.': 1,
    },
  },
};
