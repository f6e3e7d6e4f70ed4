/** What is to be reached, of one figure. */
export type Goal = { atLeast: number } | { atMost: number };

/** One line of the report. */
export interface Figure {
  /** Where it stands in the JSON: dots are nesting. */
  key: string;
  value: number;
  goal?: Goal;
  /** For people: how sure it is, and what it comes from. */
  note?: string;
}

/** What is asked for; a figure without a goal explains another. Kilobytes of 1000 bytes; milliseconds; microseconds. */
export const GOALS: Record<string, Goal> = {
  'chat.tiny.decode_ratio': { atLeast: 0.97 },
  'chat.smollm2.decode_ratio': { atLeast: 0.97 },
  'chat.tiny.ttft_added_ms': { atMost: 10 },
  'kv.tiny.prefill_ratio': { atMost: 0.25 },
  'kv.smollm2.prefill_ratio': { atMost: 0.25 },
  'reload.ratio': { atMost: 1 },
  'load.ratio': { atMost: 1 },
  'takeover.added_ms': { atMost: 200 },
  'takeover.tiny.warm_pause_ms': { atMost: 200 },
  'takeover.smollm2.warm_pause_ms': { atMost: 200 },
  'cold.first_byte_ms': { atMost: 50 },
  'download.ratio': { atLeast: 0.9 },
  'mp3.times_real_time': { atLeast: 100 },
  'speech.ten.cost_ratio': { atMost: 1.02 },
  'speech.twice_five.first_byte_ratio': { atMost: 0.75 },
  'speech.sixty.cost_ratio': { atMost: 1.02 },
  'speech.sixty.first_byte_ratio': { atMost: 0.5 },
  'size.sw_gzip_kb': { atMost: 40 },
  'size.page_gzip_kb': { atMost: 10 },
  'api.request_us': { atMost: 150 },
  'api.chunk_us': { atMost: 10 },
  'api.full.request_us': { atMost: 150 },
  'api.full.chunk_us': { atMost: 10 },
};

export function figure(key: string, value: number, note?: string): Figure {
  const goal = GOALS[key];
  return { key, value, ...(goal && { goal }), ...(note !== undefined && { note }) };
}

export function isReached({ value, goal }: Figure): boolean {
  if (!goal) return true;
  return 'atLeast' in goal ? value >= goal.atLeast : value <= goal.atMost;
}

/** The report for people: a line for each figure. */
export function table(figures: readonly Figure[]): string {
  const rows = figures.map((each) => [
    each.key,
    rounded(each.value),
    goalText(each.goal),
    each.goal ? (isReached(each) ? 'ok' : 'MISSED') : '',
    each.note ?? '',
  ]);
  const all = [['figure', 'value', 'goal', '', ''], ...rows];
  const widths = [0, 1, 2, 3].map((n) => Math.max(...all.map((row) => row[n]?.length ?? 0)));
  return all.map((row) => `${line(row, widths)}\n`).join('');
}

function line(row: string[], widths: number[]): string {
  const cells = row.map((cell, n) =>
    // Numbers are read from their ends.
    n === 1 ? cell.padStart(widths[n] ?? 0) : cell.padEnd(widths[n] ?? 0),
  );
  return cells.join('  ').trimEnd();
}

function goalText(goal: Goal | undefined): string {
  if (!goal) return '';
  return 'atLeast' in goal ? `≥ ${goal.atLeast}` : `≤ ${goal.atMost}`;
}

/** To four digits, which is more than any of it is sure of. */
function rounded(value: number): string {
  return String(Number(value.toPrecision(4)));
}

interface Tree {
  [key: string]: Tree | number;
}

/** The report for programs. */
export function nested(figures: readonly Figure[]): Tree {
  const root: Tree = {};
  for (const { key, value } of figures) {
    const path = key.split('.');
    const name = path.pop() ?? key;
    let tree = root;
    for (const part of path) {
      const next = tree[part];
      tree = typeof next === 'object' ? next : (tree[part] = {});
    }
    tree[name] = Number(value.toPrecision(6));
  }
  return root;
}
