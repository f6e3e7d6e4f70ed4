import { quantile } from '../../bench/statistics.ts';
import { seededRandom } from '../seeded-random.ts';
import { chanceToWaitLonger } from './erlang.ts';
import { simulateQueue, type Counts, type Phase } from './queue.ts';
import {
  clusterRequests,
  demandOf,
  serviceSeconds,
  type Demand,
  type Lengths,
  type Replica,
  type Site,
} from './workload.ts';

export interface Plan {
  recorded: readonly Lengths[];
  site: Site;
  replica: Replica;
  /** Seconds that only one request in a hundred may wait in the busiest hour. */
  wait: number;
  /** Replicas beyond what the load needs. */
  spare: number;
  seed: number;
}

export interface Size {
  demand: Demand;
  /** Mean seconds of service. */
  seconds: number;
  /** Mean number of busy slots. */
  load: number;
  /** By Erlang's formula, with the spare ones. */
  replicas: number;
  perDay: { tokens: number; cost: number };
  /** Of tokens of prompts and answers. */
  costPerMillion: number;
}

/** How many replicas keep the wait, and what they cost if they run all day. */
export function sizeOf({ recorded, site, replica, wait, spare }: Plan): Size {
  const demand = demandOf(recorded, site);
  const seconds = serviceSeconds(demand.mean, replica);
  const load = demand.rate * seconds;
  const { slots } = replica;
  let needed = 1;
  while (chanceToWaitLonger(wait, load, needed * slots, seconds) > 0.01) needed++;
  const replicas = needed + spare;
  const requests = site.visitors * site.requests * demand.share;
  const tokens = requests * (demand.mean.prompt + demand.mean.answer);
  const cost = replicas * 24 * replica.price;
  const costPerMillion = (cost / tokens) * 1e6;
  return { demand, seconds, load, replicas, perDay: { tokens, cost }, costPerMillion };
}

/** What goes wrong for some time in the busiest hour. */
export interface Fault {
  /** Seconds. */
  lasts: number;
  /** Replicas that are dead. */
  dead?: number;
  /** No device answers, the cluster gets everything. */
  devicesDown?: boolean;
  /** How many requests may wait; further ones are refused. */
  maxWaiting?: number;
}

export interface Seen {
  counts: Counts;
  /** Seconds that requests waited which arrived during the fault. */
  wait: { median: number; p99: number };
  longestQueue: number;
  refused: number;
  broken: number;
  /** Seconds after the end of the fault until nobody waited; undefined: somebody always did. */
  recovers: number | undefined;
}

/** Seconds: the cluster fills; after the fault, the load stays until nobody waits, or so long. */
const FILLS = 120;
const GOES_ON = 7200;

export function simulateFault(plan: Plan, replicas: number, fault: Fault): Seen {
  const { recorded, site, replica, seed } = plan;
  const random = seededRandom(seed);
  const phaseOf = (lasts: number, alive: number, share: number, endsEmpty = false): Phase => {
    const asked = { ...site, deviceShare: share };
    const next = clusterRequests(recorded, asked, random);
    return {
      lasts,
      endsEmpty,
      replicas: alive,
      rate: demandOf(recorded, asked).rate,
      serviceSeconds: () => serviceSeconds(next(), replica),
    };
  };
  const { deviceShare } = site;
  const { counts, phases } = simulateQueue({
    phases: [
      phaseOf(FILLS, replicas, deviceShare),
      phaseOf(fault.lasts, replicas - (fault.dead ?? 0), fault.devicesDown ? 0 : deviceShare),
      phaseOf(GOES_ON, replicas, deviceShare, true),
    ],
    slots: replica.slots,
    maxWaiting: fault.maxWaiting,
    random,
  });
  const [, during, after] = phases;
  const { waits = [], longestQueue = 0, refused = 0, broken = 0 } = during ?? {};
  return {
    counts,
    longestQueue,
    refused,
    broken,
    recovers: after?.emptyAfter,
    wait: { median: quantile(waits, 0.5), p99: quantile(waits, 0.99) },
  };
}
