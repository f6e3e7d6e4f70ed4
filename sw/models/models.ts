import { isServable } from '../../src/core/stores/catalog-entry.ts';
import type { Context } from '../context.ts';
import { jsonResponse } from '../http/json-response.ts';
import { isAllowed, servableModel } from '../model-access.ts';
import { modelBody } from './model-body.ts';

/** `GET v1/models` */
export async function listModels({ catalog, key }: Context): Promise<Response> {
  const entries = (await catalog.list()).filter(isServable);
  const data = entries.filter((entry) => isAllowed(key, entry.id)).map(modelBody);
  return jsonResponse({ object: 'list', data });
}

/** `GET v1/models/{id}` */
export async function getModel(context: Context): Promise<Response> {
  return jsonResponse(modelBody(await servableModel(context, context.rest)));
}
