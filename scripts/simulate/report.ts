import { table, type Column } from '../../bench/table.ts';
import { simulateFault, sizeOf, type Fault, type Plan } from './sizing.ts';

/** Seconds. */
const HOUR = 3600;
const TEN_MINUTES = 600;

const SHARES = [0, 0.25, 0.5, 0.75, 0.9];

const SIZES: Column[] = [
  'on devices',
  'requests/s',
  'prompt tokens/s',
  'answer tokens/s',
  'busy slots',
  'replicas',
  'p99 wait s',
  'cost/day',
  'saved',
  'cost/1M tokens',
].map((title) => ({ title, isNumber: true }));

/** A row for each part of the visitors whose device answers. */
export function sizesTable(plan: Plan): string {
  const none = sizeOf(withShare(plan, 0)).perDay.cost;
  const rows = SHARES.map((share) => {
    const changed = withShare(plan, share);
    const { demand, load, replicas, perDay, costPerMillion } = sizeOf(changed);
    const { wait } = simulateFault(changed, replicas - plan.spare, { lasts: HOUR });
    const { rate, mean } = demand;
    return [
      ...[percent(share), rate.toFixed(1)],
      ...[(rate * mean.prompt).toFixed(0), (rate * mean.answer).toFixed(0), load.toFixed(0)],
      ...[String(replicas), wait.p99.toFixed(2), perDay.cost.toFixed(0)],
      ...[percent(1 - perDay.cost / none), costPerMillion.toFixed(3)],
    ];
  });
  return table(SIZES, rows);
}

const FAULTS: Column[] = [
  { title: 'ten minutes with' },
  ...[
    ...['replicas', 'median wait s', 'p99 wait s', 'longest queue', 'broken', 'refused'],
    'recovers after s',
  ].map((title) => ({ title, isNumber: true })),
];

/** What faults in the busiest hour do to the cluster of this plan. */
export function faultsTable(plan: Plan): string {
  const { replicas } = sizeOf(plan);
  const maxWaiting = plan.replica.slots;
  const faults: [string, number, Omit<Fault, 'lasts'>][] = [
    ['no fault', replicas, {}],
    ['one replica dead', replicas, { dead: 1 }],
    ['one replica dead, none spare', replicas - plan.spare, { dead: 1 }],
    ['no device', replicas, { devicesDown: true }],
    [`no device, ${maxWaiting} may wait`, replicas, { devicesDown: true, maxWaiting }],
  ];
  const rows = faults.map(([name, count, fault]) => {
    const lasting = { ...fault, lasts: TEN_MINUTES };
    const { wait, longestQueue, broken, refused, recovers } = simulateFault(plan, count, lasting);
    return [
      ...[name, String(count), wait.median.toFixed(2), wait.p99.toFixed(2), String(longestQueue)],
      ...[String(broken), String(refused), recovers === undefined ? 'never' : recovers.toFixed(0)],
    ];
  });
  return table(FAULTS, rows);
}

function withShare(plan: Plan, deviceShare: number): Plan {
  return { ...plan, site: { ...plan.site, deviceShare } };
}

function percent(part: number): string {
  return `${(part * 100).toFixed(0)} %`;
}
