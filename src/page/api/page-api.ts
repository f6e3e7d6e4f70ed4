import { PAGE_API, type PageApi as HttpApi } from '../../core/realms/page-api.ts';
import { importScript } from '../../core/site/import-script.ts';
import { VERSION } from '../../core/version.ts';
import { StartError } from './api.ts';
import type { forwarding } from '../worker/upstreams.ts';
import type { intercepting } from '../worker/interception.ts';
import type { pageParts } from './page-parts.ts';
import type { reloadToIsolate } from '../worker/isolation.ts';
import type { outlivingWorkers } from '../leader/outliving.ts';
import type { standBy } from '../leader/standby.ts';
import type { regainControl } from '../worker/regain-control.ts';
import type { announceUpdates } from '../worker/updates.ts';
import { faultOf } from '../worker/served.ts';
import { warnOfOtherVersion } from '../worker/versions.ts';

/** What `api.js` exports: the HTTP API, and what few pages need. */
export interface PageApi extends HttpApi {
  intercepting: typeof intercepting;
  reloadToIsolate: typeof reloadToIsolate;
  standBy: typeof standBy;
  outlivingWorkers: typeof outlivingWorkers;
  pageParts: typeof pageParts;
  forwarding: typeof forwarding;
  regainControl: typeof regainControl;
  announceUpdates: typeof announceUpdates;
}

/**
 * Imports the HTTP API, and what few pages need, into this page.
 *
 * @param base - URL of the folder that its script is in
 * @throws StartError `api_failed`
 */
export async function loadPageApi(base: string): Promise<PageApi> {
  const script = new URL(`${PAGE_API}?${VERSION}`, base);
  try {
    const api = await importScript(script, toPageApi);
    void warnOfOtherVersion(script, api.VERSION);
    return api;
  } catch (cause) {
    const fault = await faultOf(script, 'api_failed');
    const message = `${script.href} could not be loaded: ${String(cause)} \`npx slashv1 init\` brings it.`;
    throw fault ?? new StartError('api_failed', message, { cause });
  }
}

function toPageApi(module: unknown): PageApi {
  if (isPageApi(module)) return module;
  throw new TypeError('Another script.');
}

function isPageApi(module: unknown): module is PageApi {
  return typeof module === 'object' && module !== null && 'apiFetch' in module;
}

/** Functions with these names. Their code is fetched when one of them is called. */
export function onDemand<T extends { [Name in keyof T]: (...given: never[]) => Promise<unknown> }>(
  load: () => Promise<T>,
  names: readonly (keyof T)[],
): T {
  const find =
    (name: keyof T) =>
    async (...given: never[]) =>
      (await load())[name](...given);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Object.fromEntries knows no single names
  return Object.fromEntries(names.map((name) => [name, find(name)])) as T;
}
