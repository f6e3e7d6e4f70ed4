import type { Reading } from './figures.ts';
import { NotHereError, type Section, type Setup } from './section.ts';
import { messageOf } from '../src/core/text/message-of.ts';

/** What is measured, and how often. */
export interface Plan {
  sections: readonly Section[];
  /** The most launches of each section. */
  launches: number;
  /** Returns false when the time budget is spent. Called before each launch. */
  hasTime: () => boolean;
  /** Called with the name of each launch before it starts. */
  onLaunch: (name: string) => void;
}

export interface Outcome {
  readings: Reading[];
  /** A message for each launch that failed. */
  failures: string[];
  /** A message for each launch of a section that cannot be measured on this machine. */
  notHere: string[];
  /** Names of the sections that were not launched, because the time budget was spent. */
  leftOut: string[];
}

/** Launches the sections in turn. A launch that fails does not stop the others. */
export async function measureSections(plan: Plan, setup: Setup): Promise<Outcome> {
  const outcome: Outcome = { readings: [], failures: [], notHere: [], leftOut: [] };
  for (const { section, index } of rounds(plan.sections, plan.launches)) {
    if (!plan.hasTime()) {
      if (index === 0) outcome.leftOut.push(section.name);
      continue;
    }
    const name = `${section.name}, launch ${index + 1}`;
    plan.onLaunch(name);
    try {
      outcome.readings.push(...(await section.measure({ ...setup, isSwapped: index % 2 === 1 })));
    } catch (error) {
      const messages = error instanceof NotHereError ? outcome.notHere : outcome.failures;
      messages.push(`${name}: ${messageOf(error)}`);
    }
  }
  return outcome;
}

/** The first launch of every section, then the second of every section, and so on. */
function rounds(sections: readonly Section[], launches: number) {
  return Array.from({ length: launches }, (_, index) =>
    sections
      .filter(({ isExact }) => !isExact || index === 0)
      .map((section) => ({ section, index })),
  ).flat();
}
