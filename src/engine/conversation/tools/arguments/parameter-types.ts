import type { ValueType } from '../../../../core/grammar/values/objects/notation.ts';
import type { Tool } from '../../../../core/operations/jobs.ts';
import { typeOf } from '../format/call-format.ts';

/** The types that a tool's schema allows for an argument; undefined: it does not say. */
export function parameterTypes(tool: Tool, name: string): ReadonlySet<ValueType> | undefined {
  const { parameters } = tool;
  const properties = membersOf(parameters['properties']);
  const types = typesOf(properties[name], parameters, 0);
  return types && new Set(types);
}

/** References may go round in circles. */
const DEEPEST = 8;

function typesOf(schema: unknown, root: object, depth: number): ValueType[] | undefined {
  if (depth > DEEPEST) return undefined;
  const { type, enum: listed, const: only, anyOf, oneOf, $ref } = membersOf(schema);
  if (typeof $ref === 'string') return typesOf(referenced($ref, root), root, depth + 1);
  if (Array.isArray(listed)) return listed.map(typeOf);
  if (only !== undefined) return [typeOf(only)];
  if (type !== undefined) return [type].flat().flatMap(named);
  const alternatives = anyOf ?? oneOf;
  if (!Array.isArray(alternatives)) return undefined;
  const all = alternatives.map((one) => typesOf(one, root, depth + 1));
  return all.includes(undefined) ? undefined : all.flatMap((types) => types ?? []);
}

function named(type: unknown): ValueType[] {
  switch (type) {
    case 'integer':
      return ['number'];
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
    case 'array':
    case 'object':
      return [type];
    default:
      return [];
  }
}

/** What a reference within the document leads to. */
function referenced(reference: string, root: object): unknown {
  const [start, ...path] = reference.split('/');
  if (start !== '#') return undefined;
  return path.reduce<unknown>((value, key) => membersOf(value)[key], root);
}

function membersOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
