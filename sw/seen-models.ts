import type { Task } from '../src/core/catalog/catalog-entry.ts';
import type { Catalog, Context } from './context.ts';
import { isAllowed, requireModel } from './model-access.ts';

/** The models that each catalog had when it was last asked for them, with their tasks. */
const seen = new WeakMap<Catalog, Set<string>>();

/**
 * Answers a request to a model. The catalog is asked only at the first request to the model. If the model has since
 * been removed or has another task, the engine refuses the job, and the catalog tells why.
 *
 * @throws ApiError as requireModel, or what `answer` throws
 */
export async function onSeenModel(
  access: Pick<Context, 'catalog' | 'key'>,
  id: string,
  task: Task,
  answer: () => Promise<Response>,
): Promise<Response> {
  const { catalog, key } = access;
  const models = seen.get(catalog) ?? new Set();
  seen.set(catalog, models);
  const name = `${task} ${id}`;
  if (!isAllowed(key, id) || !models.has(name)) await requireModel(access, id, task);
  models.add(name);
  try {
    return await answer();
  } catch (error) {
    models.delete(name);
    await requireModel(access, id, task);
    throw error;
  }
}
