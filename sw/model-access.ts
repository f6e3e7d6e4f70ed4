import {
  type ApiError,
  endpointNotAllowed,
  modelNotAllowed,
  modelNotFound,
  notInstalled,
  unsupportedValue,
} from '../src/core/errors/errors.ts';
import type { GenerateJob } from '../src/core/operations/jobs/jobs.ts';
import { isServable, type CatalogEntry, type Task } from '../src/core/catalog/catalog-entry.ts';
import type { Speech } from '../src/core/catalog/speech.ts';
import type { StoredKey } from '../src/core/database/database.ts';
import type { Context } from './context.ts';
import type { Endpoint } from './http/endpoint.ts';
import { refuseForBuiltIn } from './generation/request/built-in-limits.ts';

type Access = Pick<Context, 'catalog' | 'key'>;

export function isAllowed(key: StoredKey, model: string): boolean {
  return key.models === undefined || key.models.includes(model);
}

/** @throws ApiError 403 if the key is for other endpoints; every key may list its models */
export function requireEndpoint(
  { endpoints }: StoredKey,
  { method, path, keyless }: Pick<Endpoint<never>, 'method' | 'path' | 'keyless'>,
): void {
  const isList = method === 'GET' && /^models(?:\/|$)/.test(path);
  if (!endpoints || isList || keyless) return;
  if (endpoints.some((each) => `${path}/`.startsWith(`${each}/`))) return;
  throw endpointNotAllowed(path, endpoints);
}

/** The fields of a job that depend on the client's key. */
export function clientOf({
  id,
  autoInstall,
  promptCache,
}: StoredKey): Pick<GenerateJob, 'client' | 'autoInstall' | 'disk'> {
  return {
    client: id,
    ...(autoInstall && { autoInstall }),
    ...(promptCache && { disk: { owner: id, ...promptCache } }),
  };
}

/** The model, installed or not. @throws ApiError 403, 404 */
export async function knownModel({ catalog, key }: Access, id: string): Promise<CatalogEntry> {
  if (!isAllowed(key, id)) throw modelNotAllowed(id);
  const entry = await catalog.get(id);
  if (entry) return entry;
  throw modelNotFound(id, 'GET v1/models lists what can be used; models.add() adds one.');
}

/**
 * The model, if this key can use it: it is installed, or the key may have it installed.
 *
 * @throws ApiError 403, 404
 */
export async function servableModel(access: Access, id: string): Promise<CatalogEntry> {
  const entry = await knownModel(access, id);
  if (!isServable(entry) && !access.key.autoInstall) throw notInstalled(id);
  return entry;
}

/**
 * The text model that can do this job.
 *
 * @throws ApiError 400 if it is not a text model, or cannot do what the job asks for; or as servableModel
 */
export async function requireTextModel(
  access: Access,
  job: Pick<GenerateJob, 'model'> & Partial<GenerateJob>,
): Promise<CatalogEntry> {
  const entry = await requireModel(access, job.model, 'chat');
  refuseForBuiltIn(entry, job);
  return entry;
}

/** The model, which must have this task. @throws ApiError 400 if it has another, or as servableModel */
export async function requireModel<T extends Task>(
  access: Access,
  id: string,
  task: T,
): Promise<Extract<CatalogEntry, { task: T }>> {
  const model = await servableModel(access, id);
  if (hasTask(model, task)) return model;
  throw wrongEndpoint(model, await modelsFor(access, task));
}

function hasTask<T extends Task>(
  model: CatalogEntry,
  task: T,
): model is Extract<CatalogEntry, { task: T }> {
  return model.task === task;
}

/** Ids of the models with this task that the key can use. */
async function modelsFor({ catalog, key }: Access, task: Task): Promise<string[]> {
  const all = await catalog.list();
  return all
    .filter((entry) => entry.task === task && isServable(entry) && isAllowed(key, entry.id))
    .map(({ id }) => id);
}

/** What a speech model speaks. @throws ApiError 400 if it is not a speech model, or as servableModel */
export async function requireSpeechModel(access: Access, id: string): Promise<Speech> {
  return (await requireModel(access, id, 'speech')).speech;
}

/** What a model does, and the endpoint that it is for. */
const USES: Record<Task, string> = {
  chat: 'writes text; use it with POST v1/chat/completions',
  speech: 'speaks; use it with POST v1/audio/speech',
  embedding: 'computes embeddings; use it with POST v1/embeddings',
  rerank: 'ranks documents; use it with POST v1/rerank',
  transcription: 'transcribes speech; use it with POST v1/audio/transcriptions',
};

function wrongEndpoint({ id, task }: CatalogEntry, others: readonly string[]): ApiError {
  const hint = others.length > 0 ? ` This endpoint is for ${others.join(', ')}.` : '';
  return unsupportedValue(`The model '${id}' ${USES[task]}.${hint}`, 'model');
}
