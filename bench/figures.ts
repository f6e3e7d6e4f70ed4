import { GOALS } from './goals.ts';
import { median, medianInterval, quartiles, type Interval } from './statistics.ts';
import { verdictOf, type Goal, type Verdict } from './verdict.ts';

/** One number from one launch. */
export interface Reading {
  /** Path in the JSON report, its parts separated by dots. */
  key: string;
  value: number;
  /** True of a number that is counted, not timed: it is exact. */
  isCount: boolean;
  /** Explains the number in the table. */
  note?: string;
}

/** What all launches together say about one key. */
export interface Figure {
  key: string;
  median: number;
  /** First and third quartile of the launches. */
  quartiles: Interval;
  /** 95 % confidence interval of the median; of a count, its lowest and highest value. */
  interval?: Interval;
  launches: number;
  goal?: Goal;
  verdict?: Verdict;
  note?: string;
}

/** A number that differs from launch to launch: a time, a rate or a ratio of them. */
export function measured(key: string, value: number, note?: string): Reading {
  return reading(key, value, false, note);
}

export function counted(key: string, value: number, note?: string): Reading {
  return reading(key, value, true, note);
}

function reading(key: string, value: number, isCount: boolean, note?: string): Reading {
  if (!Number.isFinite(value)) throw new Error(`${key} is ${value}, not a number.`);
  return { key, value, isCount, ...(note !== undefined && { note }) };
}

/** One figure for each key, in the order in which the keys first appear. */
export function figuresOf(readings: readonly Reading[]): Figure[] {
  return [...Map.groupBy(readings, ({ key }) => key)].map(([key, launches]) =>
    figureOf(key, launches),
  );
}

function figureOf(key: string, readings: readonly Reading[]): Figure {
  const values = readings.map(({ value }) => value);
  const isCount = readings.every((each) => each.isCount);
  const interval = isCount ? rangeOf(values) : medianInterval(values);
  const goal = GOALS[key];
  const note = readings[0]?.note;
  return {
    key,
    median: median(values),
    quartiles: quartiles(values),
    launches: values.length,
    ...(interval && { interval }),
    ...(goal && { goal, verdict: verdictOf(goal, { interval, isCount }) }),
    ...(note !== undefined && { note }),
  };
}

function rangeOf(values: readonly number[]): Interval {
  return [Math.min(...values), Math.max(...values)];
}
