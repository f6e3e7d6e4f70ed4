import { member } from '../../../json.ts';

/** The value if it is a string, else an empty one. */
export function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The value if it is a finite number, else 0. */
export function number(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}

export function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The members of these names that are numbers. */
export function numbers<Name extends string>(
  value: unknown,
  names: readonly Name[],
): Partial<Record<Name, number>> {
  const found: Partial<Record<Name, number>> = {};
  for (const name of names) {
    const given = member(value, name);
    if (typeof given === 'number') found[name] = given;
  }
  return found;
}
