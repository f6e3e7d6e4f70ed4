import { PAGE_API, type PageApi as HttpApi } from '../../core/realms/page-api.ts';
import { VERSION } from '../../core/version.ts';
import { StartError } from './api.ts';
import type { forwarding } from '../worker/upstreams.ts';
import type { intercepting } from '../worker/interception.ts';
import type { pageParts } from './page-parts.ts';
import type { reloadToIsolate } from '../worker/isolation.ts';
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
  pageParts: typeof pageParts;
  forwarding: typeof forwarding;
  regainControl: typeof regainControl;
  announceUpdates: typeof announceUpdates;
}

/** How many imports have failed. */
let failures = 0;

/**
 * Imports the HTTP API, and what few pages need, into this page.
 *
 * @param base - URL of the folder that its script is in
 * @throws StartError `api_failed`
 */
export async function loadPageApi(base: string): Promise<PageApi> {
  const script = new URL(`${PAGE_API}?${VERSION}`, base);
  // If an import failed, the browser fails it again without a request, unless the address differs. A query makes the
  // service worker ask the server again, too.
  if (failures > 0) script.search += `&${failures}`;
  try {
    const api: unknown = await import(/* @vite-ignore */ script.href);
    if (!isPageApi(api)) throw new TypeError('Another script.');
    void warnOfOtherVersion(script, api.VERSION);
    return api;
  } catch (cause) {
    failures++;
    const fault = await faultOf(script, 'api_failed');
    const message = `${script.href} could not be loaded: ${String(cause)} \`npx slashv1 init\` brings it.`;
    throw fault ?? new StartError('api_failed', message, { cause });
  }
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
