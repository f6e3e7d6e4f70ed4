/** A loaded model, as the choice of what to unload sees it. */
export interface Tenant {
  id: string;
  /** Memory that it takes. */
  bytes: number;
  /** Grows from use to use. */
  lastUsed: number;
  /** `running`: it is giving an answer. `awaited`: requests for it wait for their turn. */
  use: 'idle' | 'awaited' | 'running';
}

const RANKS = { idle: 0, awaited: 1, running: 2 };

/**
 * Which models must go so that another fits: those first that nobody waits for, and among them those that
 * were not used for longest. What is running goes last, and only when it is done. Before a model that is
 * larger than the whole budget all go: alone, it may still be loaded.
 *
 * @param bytes - of the model that is to be loaded
 * @param budget - bytes that all together may take
 */
export function chooseUnloads(tenants: readonly Tenant[], bytes: number, budget: number): Tenant[] {
  const chosen: Tenant[] = [];
  let taken = tenants.reduce((sum, tenant) => sum + tenant.bytes, bytes);
  for (const tenant of tenants.toSorted(byWorth)) {
    if (taken <= budget) break;
    chosen.push(tenant);
    taken -= tenant.bytes;
  }
  return chosen;
}

function byWorth(a: Tenant, b: Tenant): number {
  return RANKS[a.use] - RANKS[b.use] || a.lastUsed - b.lastUsed;
}
