import { isServable, type CatalogEntry } from '../../src/core/catalog/catalog-entry.ts';
import { chooseVariant } from '../../src/core/fit/choose-variant.ts';
import { refusals, type Device } from '../../src/core/fit/device-fit.ts';
import type { Context } from '../context.ts';
import { jsonResponse } from '../http/json-response.ts';
import { isAllowed, servableModel } from '../model-access.ts';
import { listRoutes } from './list-routes.ts';
import { listUpstreamModels } from '../upstreams/list-upstream-models.ts';
import { modelBody } from './model-body.ts';

/** `GET v1/models` */
export async function listModels(context: Context): Promise<Response> {
  const { catalog, key } = context;
  const [all, device] = await Promise.all([catalog.list(), context.device()]);
  const own = all
    .filter((entry) => isServable(entry) && isAllowed(key, entry.id) && canRun(entry, device))
    .map((entry) => modelBody(entry, device, key.hear !== undefined));
  const routes = listRoutes(context);
  const models = [...own, ...(await listUpstreamModels(context))];
  // Requests that name such a model follow the route.
  const others = models.filter(({ id }) => !routes.some((route) => route.id === id));
  const data = [...routes, ...others];
  const ids = { first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null };
  return jsonResponse({ object: 'list', data, has_more: false, ...ids });
}

/** `GET v1/models/{id}` */
export async function getModel(context: Context): Promise<Response> {
  const [model = ''] = context.names;
  const route = listRoutes(context).find(({ id }) => id === model);
  if (route) return jsonResponse(route);
  const known = await context.catalog.get(model);
  // Upstreams do not serve models that this device serves, so they are not asked.
  if (!known || !isServable(known)) {
    const other = (await listUpstreamModels(context)).find(({ id }) => id === model);
    if (other) return jsonResponse(other);
  }
  const [entry, device] = await Promise.all([servableModel(context, model), context.device()]);
  return jsonResponse(modelBody(entry, device, context.key.hear !== undefined));
}

/** Whether this device can run the model. If not, every request to it would be refused. */
function canRun(entry: CatalogEntry, device: Device): boolean {
  return refusals(chooseVariant(entry, device), device).length === 0;
}
