import { refusal } from '../src/core/errors/errors.ts';
import type { Interception } from '../src/core/realms/interception.ts';
import type { ApiOperation } from '../src/core/operations/jobs/jobs.ts';
import type { Engine } from '../src/core/port/engine.ts';
import { isServable } from '../src/core/catalog/catalog-entry.ts';
import type { StoredKey } from '../src/core/database/database.ts';
import { createApp, type AppOptions } from './app.ts';
import { errorResponse, navigationRefused } from './http/error-response.ts';

type App = (request: Request) => Promise<Response>;

/** Finds what answers requests to a URL in place of the service; undefined if the URL belongs to no service. */
export type Interceptor = (url: URL) => App | undefined;

/**
 * Answers requests to other services with the site's own models. Nothing is sent to the services: requests to other
 * addresses of their hosts fail. If a service is on the site's own host, this applies only to the service's origin. If
 * it is on the site's own origin, this applies only to its base URL.
 *
 * @param site - origin and folder of the site's own API
 * @param api - what that API is built on
 */
export function createInterceptor(
  { bases, ...models }: Interception,
  site: URL,
  api: Omit<AppOptions, 'path'>,
): Interceptor {
  const options = { ...api, ...withNames(models, api), authenticate: anyone(models) };
  const services = bases.map((href) => {
    const base = new URL(href);
    const path = base.pathname.replace(/\/$/, '');
    const isBelow = ({ origin, pathname }: URL) =>
      origin === base.origin && `${pathname}/`.startsWith(`${path}/`);
    return { base, isBelow, app: refusingNavigations(createApp({ ...options, path })) };
  });
  return (url) => {
    const found = services.find(({ isBelow }) => isBelow(url));
    if (found) return found.app;
    const closed = services.find(({ base }) => isClosed(url, base, site));
    return closed && (() => Promise.resolve(outside(closed.base, url)));
  };
}

/** Whether nothing may be sent to this address, although it is not below the base. */
function isClosed(url: URL, base: URL, site: URL): boolean {
  if (base.origin === site.origin) return false;
  return base.hostname === site.hostname ? url.origin === base.origin : host(url) === host(base);
}

/** The host without a dot at its end: both names lead to the same host. */
function host({ hostname }: URL): string {
  return hostname.replace(/\.$/, '');
}

function outside({ href, hostname }: URL, { origin, pathname }: URL): Response {
  const message = `Nothing was sent to ${hostname}: this page intercepts ${href}, and ${origin}${pathname} is not below it.`;
  return errorResponse(refusal(404, message, 'not_intercepted').data);
}

/** Refuses navigations, because another site can reach an address of this origin by one. */
function refusingNavigations(app: App): App {
  return async (request) => (request.mode === 'navigate' ? navigationRefused() : app(request));
}

/** Accepts all clients. They send a key of the service, or no key: it is not read. */
function anyone({ autoInstall }: Omit<Interception, 'bases'>): () => Promise<StoredKey> {
  const key = { id: 'intercepted', label: '', createdAt: 0, ...(autoInstall && { autoInstall }) };
  return () => Promise.resolve(key);
}

/** Catalog and engine, with the names that clients of the service have for models. */
function withNames(
  { names, model }: Omit<Interception, 'bases'>,
  { catalog, engine }: Pick<AppOptions, 'catalog' | 'engine'>,
): Pick<AppOptions, 'catalog' | 'engine'> {
  const idOf = async (name: string): Promise<string> => {
    const mapped = names.find(([from]) => from === name)?.[1];
    if (mapped !== undefined || (await catalog.get(name))) return mapped ?? name;
    return model ?? (await firstTextModel()) ?? name;
  };
  const firstTextModel = async () =>
    (await catalog.list()).find((entry) => entry.task === 'chat' && isServable(entry))?.id;
  const run: Engine<ApiOperation>['run'] = async (job, signal, take) =>
    engine.run('model' in job ? { ...job, model: await idOf(job.model) } : job, signal, take);
  return {
    catalog: { list: () => catalog.list(), get: async (name) => catalog.get(await idOf(name)) },
    engine: { run },
  };
}
