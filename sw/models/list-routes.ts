import { entryText } from '../../src/core/realms/routes.ts';
import type { Context } from '../context.ts';
import { isAllowed } from '../model-access.ts';

/** The routes that this key may use, as `GET v1/models` shows them, with what they lead to. */
export function listRoutes({ key }: Pick<Context, 'key'>) {
  return (key.routes ?? [])
    .filter(({ name }) => isAllowed(key, name))
    .map(({ name, entries }) => ({
      id: name,
      object: 'model' as const,
      created: 0,
      owned_by: 'slashv1',
      type: 'model',
      display_name: name,
      created_at: new Date(0).toISOString(),
      routes_to: entries.map((entry) => ({
        to: entryText(entry),
        ...(entry.maxQueue !== undefined && { max_queue: entry.maxQueue }),
      })),
    }));
}
