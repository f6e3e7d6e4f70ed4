import { parseArgs } from 'node:util';
import type { Section } from './section.ts';

/** With fewer launches, no interval is certain enough for a verdict. */
export const ENOUGH_LAUNCHES = 6;

export interface BenchOptions {
  /** Names of sections, of groups of sections or of figures; default: all sections but those on request. */
  only?: string[];
  /** Pairs of measurements in each launch, if not the usual number. */
  pairs?: number;
  /** The most launches of each section. */
  launches: number;
  /** Time after which no launch is started. */
  minutes?: number;
  json: boolean;
  check: boolean;
}

/** @throws Error that names the wrong option */
export function benchOptions(args: string[]): BenchOptions {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string' },
      pairs: { type: 'string' },
      launches: { type: 'string', default: String(ENOUGH_LAUNCHES) },
      minutes: { type: 'string' },
      json: { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
    },
  });
  const { only, pairs, launches, minutes, json, check } = values;
  return {
    launches: wholeNumber('--launches', launches),
    ...(only !== undefined && { only: only.split(',').map((name) => name.trim()) }),
    ...(pairs !== undefined && { pairs: wholeNumber('--pairs', pairs) }),
    ...(minutes !== undefined && { minutes: positiveNumber('--minutes', minutes) }),
    json,
    check,
  };
}

function wholeNumber(option: string, text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new Error(`${option} ${text}: it must be a whole number, at least 1.`);
}

function positiveNumber(option: string, text: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new Error(`${option} ${text}: it must be a number above 0.`);
}

/**
 * Selects sections by their whole name, by its first parts, or by the name of a figure. Sections on request are
 * selected only by their whole name or by a figure.
 *
 * @throws Error if a name selects nothing
 */
export function selectSections(
  sections: readonly Section[],
  names: readonly string[] | undefined,
): readonly Section[] {
  if (!names) return sections.filter(({ isOnRequest }) => !isOnRequest);
  const unknown = names.find((name) => !sections.some((section) => isSelected(section, name)));
  if (unknown === undefined) {
    return sections.filter((section) => names.some((name) => isSelected(section, name)));
  }
  const known = sections.map(({ name }) => name).join(', ');
  throw new Error(`--only ${unknown}: there is no such section. The sections are ${known}.`);
}

function isSelected({ name, isOnRequest }: Section, wanted: string): boolean {
  if (name === wanted || wanted.startsWith(`${name}.`)) return true;
  return !isOnRequest && name.startsWith(`${wanted}.`);
}
