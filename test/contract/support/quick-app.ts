import type { StoredKey } from '../../../src/core/database/database.ts';
import { createApp } from '../../../sw/app.ts';
import type { Grace } from '../../../sw/road/running-job.ts';
import { catalogEntries, ORIGIN, type ApiEngine } from './api.ts';

/**
 * An API without a database that accepts any key: for tests of many thousand requests.
 *
 * @param rights - of every key
 * @param graceMs - undefined: the usual one
 */
export function quickApp(
  engine: ApiEngine,
  rights: Pick<StoredKey, 'manageModels' | 'files' | 'mcp'> = {},
  graceMs?: Grace,
) {
  const entries = catalogEntries();
  const authenticate = () => Promise.resolve({ id: '', label: '', createdAt: 0, ...rights });
  const app = createApp({
    path: '/v1',
    engine,
    ...(graceMs && { graceMs }),
    authenticate,
    authenticateUrl: authenticate,
    device: () => Promise.resolve({}),
    catalog: {
      list: () => Promise.resolve(entries),
      get: (id) => Promise.resolve(entries.find((entry) => entry.id === id)),
    },
  });
  return {
    app,
    post: (path: string, body: BodyInit) =>
      app(new Request(`${ORIGIN}/v1${path}`, { method: 'POST', body })),
  };
}
