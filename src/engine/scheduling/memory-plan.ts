/** A loaded model, as far as it matters for choosing what to unload. */
export interface Tenant {
  id: string;
  /** Memory that it takes, bytes. */
  bytes: number;
  /** Grows with each use. */
  lastUsed: number;
  /** `running`: it generates an answer. `awaited`: requests for it wait for their turn. */
  use: 'idle' | 'awaited' | 'running';
}

const RANKS = { idle: 0, awaited: 1, running: 2 };

/**
 * Chooses which models to unload so that another fits: idle models first, and among them the least
 * recently used. Running models come last; they are unloaded when their answer ends. If the new
 * model is larger than the whole budget, all others are unloaded: it may still fit alone.
 *
 * @param bytes - of the model to load
 * @param budget - bytes for all models together
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
