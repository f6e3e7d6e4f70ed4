import { messages } from '../messages/messages.ts';
import { formatNumber } from '../ui/format.ts';
import type { Fact } from './fact.ts';

/** The part of a GPUAdapter that is read. */
export interface Adapter {
  features: Iterable<string>;
  limits: object;
}

/** The graphics processor; undefined: there is none that this browser may use. */
export async function findAdapter(): Promise<Adapter | undefined> {
  // The types say that `navigator.gpu` always exists, but many browsers lack it.
  const gpu: GPU | undefined = navigator.gpu;
  return (await gpu?.requestAdapter().catch(() => null)) ?? undefined;
}

/** One fact with all features, and a fact for each limit, named as in WebGPU. */
export function adapterFacts({ features, limits }: Adapter): Fact[] {
  const { facts, none } = messages.value.device;
  const names = [...features].toSorted();
  return [
    { name: facts.features, value: names.join(', ') || none },
    ...limitsOf(limits).map(([name, limit]) => ({ name, value: formatNumber(limit) })),
  ];
}

/** Limits are attributes of the prototype, so that `Object.entries` does not see them. */
function limitsOf(limits: object): [name: string, limit: number][] {
  const found: [string, number][] = [];
  for (const name in limits) {
    const limit: unknown = Reflect.get(limits, name);
    if (typeof limit === 'number') found.push([name, limit]);
  }
  return found.toSorted(([a], [b]) => a.localeCompare(b));
}
