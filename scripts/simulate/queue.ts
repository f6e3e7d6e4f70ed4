import { Soonest } from './soonest.ts';

/** A stretch of time with one load and one number of replicas. */
export interface Phase {
  /** Seconds. */
  lasts: number;
  /** It ends as soon as nobody waits. */
  endsEmpty?: boolean;
  /** Requests per second, which arrive independently of each other. */
  rate: number;
  /** If there are fewer than before, the last ones die with all that they serve. */
  replicas: number;
  /** Seconds that a replica needs for the next request. */
  serviceSeconds: () => number;
}

export interface Queue {
  phases: readonly Phase[];
  /** How many requests a replica serves at once. */
  slots: number;
  /** Requests that find so many waiting are refused; undefined: none is. */
  maxWaiting?: number | undefined;
  random: () => number;
}

/** What became of the requests. `arrived` is the sum of the others. */
export interface Counts {
  arrived: number;
  answered: number;
  /** At the end. */
  running: number;
  /** At the end. */
  waiting: number;
  /** Their replica died. */
  broken: number;
  refused: number;
}

export interface PhaseOutcome {
  /** Seconds that the requests of this phase waited which were begun, even if later. */
  waits: number[];
  longestQueue: number;
  /** Seconds from the beginning of the phase until nobody waited; undefined: somebody always did. */
  emptyAfter: number | undefined;
  broken: number;
  refused: number;
}

export interface Outcome {
  counts: Counts;
  phases: PhaseOutcome[];
}

interface Waiting {
  since: number;
  phase: PhaseOutcome;
  service: number;
}

interface Running {
  ends: number;
  replica: number;
}

/**
 * Requests wait in one line, first come, first served; the replica with the fewest takes the next one. A request of a
 * dead replica is not begun again, because a client may have read half of its answer.
 */
export function simulateQueue({ phases, slots, maxWaiting, random }: Queue): Outcome {
  const counts = { arrived: 0, answered: 0, running: 0, waiting: 0, broken: 0, refused: 0 };
  const outcomes: PhaseOutcome[] = [];
  const line: Waiting[] = [];
  let first = 0;
  let running = new Soonest<Running>();
  /** Requests of each replica. */
  let loads: number[] = [];
  let begins = 0;

  const begin = (now: number) => {
    for (let next = line[first]; next; next = line[++first]) {
      const replica = loads.indexOf(Math.min(...loads));
      if ((loads[replica] ?? slots) >= slots) return;
      const { since, phase, service } = next;
      phase.waits.push(now - since);
      loads[replica] = (loads[replica] ?? 0) + 1;
      running.add({ ends: now + service, replica });
    }
    line.length = first = 0;
  };

  for (const { lasts, endsEmpty, rate, replicas, serviceSeconds } of phases) {
    const phase: PhaseOutcome = {
      waits: [],
      longestQueue: 0,
      emptyAfter: undefined,
      broken: 0,
      refused: 0,
    };
    outcomes.push(phase);
    const all = running;
    running = new Soonest();
    for (let each = all.next(); each; each = all.next()) {
      if (each.replica < replicas) running.add(each);
      else phase.broken++;
    }
    counts.broken += phase.broken;
    loads = Array.from({ length: replicas }, (_, replica) => loads[replica] ?? 0);
    const gap = () => (rate > 0 ? -Math.log(1 - random()) / rate : Number.POSITIVE_INFINITY);
    let arrives = begins + gap();
    let now = begins;
    while (now < begins + lasts) {
      begin(now);
      const waiting = line.length - first;
      phase.longestQueue = Math.max(phase.longestQueue, waiting);
      if (waiting === 0) {
        phase.emptyAfter ??= now - begins;
        if (endsEmpty) break;
      }
      const ends = running.ends;
      now = Math.min(arrives, ends, begins + lasts);
      if (now === begins + lasts) continue;
      if (ends <= arrives) {
        const { replica = 0 } = running.next() ?? {};
        loads[replica] = (loads[replica] ?? 0) - 1;
        counts.answered++;
        continue;
      }
      arrives += gap();
      counts.arrived++;
      const isBusy = running.size >= slots * replicas;
      if (isBusy && waiting >= (maxWaiting ?? Number.POSITIVE_INFINITY)) {
        phase.refused++;
        counts.refused++;
      } else {
        line.push({ since: now, phase, service: serviceSeconds() });
      }
    }
    begins = now;
  }
  return {
    counts: { ...counts, running: running.size, waiting: line.length - first },
    phases: outcomes,
  };
}
