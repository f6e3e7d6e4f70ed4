/** A schema that is enforced, values that its grammar must accept, and values that it must refuse. */
export interface Case {
  schema: unknown;
  valid: unknown[];
  invalid: unknown[];
  /** `strict` of GrammarOptions. */
  strict?: boolean;
}

export function enforced(schema: unknown, valid: unknown[] = [], invalid: unknown[] = []): Case {
  return { schema, valid, invalid };
}

/** A schema that is refused, and the path inside it that the error names. */
export interface Refusal {
  schema: unknown;
  path: string;
}

export function refused(schema: unknown, path: string): Refusal {
  return { schema, path };
}

/** The schema of an object that has exactly these properties. */
export const object = (properties: object, rest: object = {}) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...rest,
});
