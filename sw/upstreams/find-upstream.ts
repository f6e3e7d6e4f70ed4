import { modelNotAllowed } from '../../src/core/errors/errors.ts';
import { isServedBy, type Upstream } from '../../src/core/realms/upstreams.ts';
import { isServable, type CatalogEntry } from '../../src/core/catalog/catalog-entry.ts';
import type { Context } from '../context.ts';
import { isAllowed } from '../model-access.ts';
import type { UpstreamModels } from './upstream-models.ts';

/**
 * Whether an upstream may serve a model.
 *
 * @param entry - what this device knows of it
 */
export function isForUpstream(
  entry: CatalogEntry | undefined,
  { fallback = false }: Upstream,
): boolean {
  return !entry || (fallback && !isServable(entry));
}

/**
 * The first of the upstreams that serves a model which this device does not; undefined: none does.
 *
 * @throws ApiError 403, 502, 503, 504
 */
export async function findUpstream(
  model: string,
  usable: readonly Upstream[],
  { key, catalog }: Pick<Context, 'key' | 'catalog'>,
  models: UpstreamModels,
): Promise<Upstream | undefined> {
  const entry = await catalog.get(model);
  const candidates = usable.filter((each) => isServedBy(each, model) && isForUpstream(entry, each));
  if (candidates.length > 0 && !isAllowed(key, model)) throw modelNotAllowed(model);
  let failure: unknown;
  for (const upstream of candidates) {
    // A pattern does not prove that the upstream has the model: a misspelt name must not send a prompt away.
    if (upstream.models.includes(model)) return upstream;
    try {
      if (await models.has(upstream, model)) return upstream;
    } catch (error) {
      failure ??= error;
    }
  }
  if (failure !== undefined) throw failure;
  return undefined;
}
