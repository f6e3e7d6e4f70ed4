import type { ValueType } from '../../../../core/grammar/values/objects/notation.ts';
import type { Tool } from '../../../../core/operations/jobs/jobs.ts';
import { typeOf } from '../format/call-format.ts';

/** References may go round in circles. */
const DEEPEST = 8;

/** What a tool's schema says about a value, as far as a reader needs it. */
export class ToolSchema {
  readonly #schema: unknown;
  readonly #root: object;
  /** The types that the value may have; undefined: it does not say. */
  readonly types: ReadonlySet<ValueType> | undefined;
  /** Whether the value has a name or a place that is declared. */
  readonly isDeclared: boolean;

  private constructor(schema: unknown, root: object, isDeclared: boolean) {
    this.#schema = schema;
    this.#root = root;
    const types = typesOf(schema, root, 0);
    this.types = types && new Set(types);
    this.isDeclared = isDeclared;
  }

  static of({ parameters }: Tool): ToolSchema {
    return new ToolSchema(parameters, parameters, true);
  }

  /** Whether the value is an array, as far as the schema says. */
  get isArray(): boolean {
    return this.types?.has('object') !== true;
  }

  /** Whether the value may be an empty text: not if all texts are listed, and none is empty. */
  get mayBeEmptyText(): boolean {
    if (this.types?.has('string') === false) return false;
    const all = alternativesOf(this.#schema, this.#root, 0);
    const lists = all.flatMap(({ enum: listed, const: only }): unknown[] =>
      Array.isArray(listed) ? listed : only === undefined ? [] : [only],
    );
    const isFree = all.some(
      ({ type, enum: listed, const: only }) =>
        [type].flat().includes('string') && listed === undefined && only === undefined,
    );
    return isFree || lists.length === 0 || lists.includes('');
  }

  member(name: string): ToolSchema {
    const all = alternativesOf(this.#schema, this.#root, 0);
    const declared = firstOf(all, ({ properties }) => ownMember(properties, name));
    const other = firstOf(all, ({ additionalProperties }) => additionalProperties);
    return new ToolSchema(declared ?? other, this.#root, declared !== undefined);
  }

  element(index: number): ToolSchema {
    const all = alternativesOf(this.#schema, this.#root, 0);
    const own = firstOf(all, ({ prefixItems }) =>
      Array.isArray(prefixItems) ? prefixItems[index] : undefined,
    );
    return new ToolSchema(own ?? firstOf(all, ({ items }) => items), this.#root, true);
  }
}

type Schema = Record<string, unknown>;

function firstOf(schemas: readonly Schema[], choose: (schema: Schema) => unknown): unknown {
  return schemas.map(choose).find((found) => found !== undefined);
}

/** A schema and those that it refers to or combines. */
function alternativesOf(schema: unknown, root: object, depth: number): Schema[] {
  if (depth > DEEPEST) return [];
  const own = membersOf(schema);
  const { $ref, allOf, anyOf, oneOf } = own;
  const lists: unknown[] = [allOf, anyOf, oneOf].filter(Array.isArray).flat();
  const others = typeof $ref === 'string' ? [referenced($ref, root), ...lists] : lists;
  return [own, ...others.flatMap((other) => alternativesOf(other, root, depth + 1))];
}

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

function ownMember(value: unknown, name: string): unknown {
  const members = membersOf(value);
  return Object.hasOwn(members, name) ? members[name] : undefined;
}

function membersOf(value: unknown): Schema {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
