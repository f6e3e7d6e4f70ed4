import type { Context } from '../context.ts';
import { isAllowed } from '../model-access.ts';
import { isForUpstream } from './find-upstream.ts';
import type { UpstreamModel } from './upstream-models.ts';

/** A model that is not on this device, with its upstream's own facts. */
export type ListedUpstreamModel = UpstreamModel & { object: 'model'; served_by: string };

/** The models that this key may use at upstreams. Those of upstreams that do not answer are absent. */
export async function listUpstreamModels({
  key,
  catalog,
  upstreams,
}: Pick<Context, 'key' | 'catalog' | 'upstreams'>): Promise<ListedUpstreamModel[]> {
  if (!upstreams || !key.upstreams) return [];
  const known = new Map((await catalog.list()).map((entry) => [entry.id, entry]));
  const lists = key.upstreams.map(async (upstream) => {
    const models = await upstreams.models.of(upstream).catch(() => []);
    const { name: served_by } = upstream;
    return models
      .filter(({ id }) => isAllowed(key, id) && isForUpstream(known.get(id), upstream))
      .map((model) => ({ ...model, object: 'model' as const, served_by }));
  });
  const all = (await Promise.all(lists)).flat();
  // The first upstream that has a model gets its requests.
  return all.filter(({ id }, at) => all.findIndex((other) => other.id === id) === at);
}
