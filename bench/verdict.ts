import type { Interval } from './statistics.ts';

export type Goal = { atLeast: number } | { atMost: number };

export type Verdict = 'held' | 'missed' | 'undecided' | 'too few launches';

/** What a verdict is based on. */
export interface Evidence {
  /** Confidence interval of the median; of a count, its lowest and highest value. */
  interval: Interval | undefined;
  /** True of a number that is counted, not timed: it is exact. */
  isCount: boolean;
}

/**
 * A goal is held or missed only if the whole interval is on one side of it; otherwise it is undecided. A
 * count holds its goal if it does so in every launch.
 */
export function verdictOf(goal: Goal, { interval, isCount }: Evidence): Verdict {
  if (!interval) return 'too few launches';
  const reached = interval.filter((value) => isReached(goal, value)).length;
  if (reached === interval.length) return 'held';
  return reached === 0 || isCount ? 'missed' : 'undecided';
}

function isReached(goal: Goal, value: number): boolean {
  return 'atLeast' in goal ? value >= goal.atLeast : value <= goal.atMost;
}
