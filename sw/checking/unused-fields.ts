import type * as v from 'valibot';
import type { Path } from './finding.ts';

/** The members of a value that its schema does not have: the API ignores them. */
export function unusedFields(schema: v.GenericSchema, value: unknown, at: Path = []): Path[] {
  // Schemas of values that are only read to be refused end with a transformation. The fields may have any shape.
  const steps = stepsOf(schema);
  if (steps.some(({ kind }) => kind === 'transformation')) return [];
  const inner = steps.findLast(isSchema) ?? schema;
  if (inner !== schema) return unusedFields(inner, value, at);
  if (isWrapper(schema)) return unusedFields(schema.wrapped, value, at);
  if (isLazy(schema)) return unusedFields(schema.getter(value), value, at);
  if (isList(schema) && Array.isArray(value)) {
    const { item } = schema;
    return value.flatMap((each, index) => unusedFields(item, each, [...at, index]));
  }
  if (!isObjectSchema(schema) || typeof value !== 'object' || value === null) return [];
  const { entries } = schema;
  return Object.entries(value).flatMap(([name, member]) => {
    const entry = Object.hasOwn(entries, name) ? entries[name] : undefined;
    return entry ? unusedFields(entry, member, [...at, name]) : [[...at, name]];
  });
}

function stepsOf(schema: v.GenericSchema): readonly Step[] {
  return 'pipe' in schema && isSteps(schema.pipe) ? schema.pipe : [];
}

interface Step {
  kind: string;
}

function isSteps(pipe: unknown): pipe is readonly Step[] {
  return Array.isArray(pipe);
}

function isSchema(step: Step): step is Step & v.GenericSchema {
  return step.kind === 'schema';
}

function isWrapper(schema: v.GenericSchema): schema is v.NullishSchema<v.GenericSchema, undefined> {
  return schema.type === 'nullish';
}

function isLazy(
  schema: v.GenericSchema,
): schema is v.GenericSchema & { getter: (value: unknown) => v.GenericSchema } {
  return schema.type === 'lazy';
}

function isList(schema: v.GenericSchema): schema is v.ArraySchema<v.GenericSchema, undefined> {
  return schema.type === 'array';
}

function isObjectSchema(
  schema: v.GenericSchema,
): schema is v.ObjectSchema<Record<string, v.GenericSchema>, undefined> {
  return schema.type === 'object';
}
