import type { FindableTask, FoundModel, Slashv1 } from '../../../index.ts';

/**
 * Searches the hub for models of several tasks, those that are downloaded most first.
 *
 * @throws ApiError if the hub cannot be searched; the signal's reason
 */
export async function searchHub(
  { models }: Slashv1,
  query: string,
  tasks: readonly FindableTask[],
  signal: AbortSignal,
): Promise<FoundModel[]> {
  const found = await Promise.all(tasks.map((task) => models.search({ query, task, signal })));
  return found.flat().sort((one, other) => other.downloads - one.downloads);
}
