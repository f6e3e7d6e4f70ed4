import { isInstalled } from '../../src/core/catalog/catalog-entry.ts';
import { unsupportedValue } from '../../src/core/errors/errors.ts';
import type { JobOf } from '../../src/core/operations/jobs/jobs.ts';
import type {
  FoundChunk,
  StoreAction,
  StoresEvent,
} from '../../src/core/operations/jobs/store-jobs.ts';
import { onlyEvent } from '../../src/core/port/engine.ts';
import type { Context } from '../context.ts';
import { ownerOf } from '../files/owner.ts';
import { newId } from '../generation/answer/ids.ts';
import { jsonAnswer, jsonResponse } from '../http/json-response.ts';
import { listBody, listQuery } from '../http/list-query.ts';
import { isAllowed, requireModel } from '../model-access.ts';
import { readFilter } from './attributes.ts';
import { storeBody } from './store-body.ts';
import {
  filesOfStore,
  rankingOf,
  searchSchema,
  storeChangeSchema,
  storeSchema,
} from './store-request.ts';

/** `POST v1/vector_stores` */
export async function createStore(context: Context): Promise<Response> {
  ownerOf(context);
  const body = await context.body.parseOptional(storeSchema);
  const files = filesOfStore(body);
  const store = {
    id: newId('vs_'),
    name: body.name ?? null,
    description: body.description ?? null,
    metadata: body.metadata ?? {},
    embedder: await embedderOf(context, body.embedding_model),
    ...(body.expires_after && { expiresAfter: body.expires_after.days }),
  };
  return one(await asked(context, { do: 'add', store, files }));
}

/** `GET v1/vector_stores` */
export async function listStores(context: Context): Promise<Response> {
  ownerOf(context);
  const params = new URL(context.request.url).searchParams;
  const part = listQuery(params, { most: 100, usual: 20 });
  const { stores, hasMore } = await asked(context, { do: 'list', part });
  return jsonResponse(listBody(stores.map(storeBody), hasMore));
}

/** `GET v1/vector_stores/{store}` */
export async function getStore(context: Context): Promise<Response> {
  return one(await asked(context, { do: 'get', id: storeId(context) }));
}

/** `POST v1/vector_stores/{store}` */
export async function changeStore(context: Context): Promise<Response> {
  ownerOf(context);
  const { name, metadata, expires_after: expires } = await context.body.parse(storeChangeSchema);
  const change = {
    ...(name !== undefined && { name }),
    ...(metadata && { metadata }),
    ...(expires !== undefined && { expiresAfter: expires?.days ?? null }),
  };
  return one(await asked(context, { do: 'change', id: storeId(context), change }));
}

/** `DELETE v1/vector_stores/{store}` */
export async function deleteStore(context: Context): Promise<Response> {
  const id = storeId(context);
  await asked(context, { do: 'delete', id });
  return jsonResponse({ id, object: 'vector_store.deleted', deleted: true });
}

/** `POST v1/vector_stores/{store}/search` */
export async function searchStore(context: Context): Promise<Response> {
  const { owner } = ownerOf(context);
  const { key } = context;
  const body = await context.body.parse(searchSchema);
  const queries = typeof body.query === 'string' ? [body.query] : body.query;
  const filter = body.filters == null ? undefined : readFilter(body.filters, 'filters');
  const job: JobOf<'find-chunks'> = {
    op: 'find-chunks',
    owner,
    client: key.id,
    stores: [storeId(context)],
    queries,
    ...(filter && { filter }),
    most: body.max_num_results ?? 10,
    ranking: rankingOf(body.ranking_options, key.files?.reranker),
  };
  return jsonAnswer(context, { job, answers: 0, fieldOf: () => 'query' }, async ({ each }) => {
    const found: FoundChunk[] = [];
    await each(({ chunks }) => void found.push(...chunks));
    return resultsBody(queries, found);
  });
}

function resultsBody(search_query: string[], chunks: readonly FoundChunk[]) {
  return {
    object: 'vector_store.search_results.page',
    search_query,
    data: chunks.map(({ file, filename, score, attributes, text }) => ({
      file_id: file,
      filename,
      score,
      attributes,
      content: [{ type: 'text', text }],
    })),
    has_more: false,
    next_page: null,
  };
}

/** The model that computes a store's vectors; null: the request wants none. @throws ApiError 400, 403, 404 */
async function embedderOf(
  context: Context,
  wanted: string | null | undefined,
): Promise<string | null> {
  if (wanted === null) return null;
  const named = wanted ?? context.key.files?.embedder;
  if (named !== undefined) return (await requireModel(context, named, 'embedding')).id;
  const all = await context.catalog.list();
  const found = all.find(
    (entry) => entry.task === 'embedding' && isInstalled(entry) && isAllowed(context.key, entry.id),
  );
  if (found) return found.id;
  throw unsupportedValue(
    'No embedder is installed: install one, or search by words only with "embedding_model": null.',
    'embedding_model',
  );
}

function asked(context: Context, action: StoreAction): Promise<StoresEvent> {
  const { engine, signal } = context;
  return onlyEvent(engine, { op: 'stores', ...ownerOf(context), action }, signal);
}

function one({ stores: [store] }: StoresEvent): Response {
  return jsonResponse(store && storeBody(store));
}

function storeId({ names: [id = ''] }: Context): string {
  return id;
}
