import { OUTLIVING, PAGE_API, type PageApi as HttpApi } from '../../core/realms/page-api.ts';
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
  pageParts: typeof pageParts;
  forwarding: typeof forwarding;
  regainControl: typeof regainControl;
  announceUpdates: typeof announceUpdates;
}

/** What `outlive.js` exports. */
interface OutlivingScript {
  VERSION: string;
  outlivingWorkers: typeof outlivingWorkers;
}

/**
 * Imports the HTTP API, and what few pages need, into this page.
 *
 * @param base - URL of the folder that its script is in
 * @throws StartError `api_failed`
 */
export function loadPageApi(base: string): Promise<PageApi> {
  return importPart(PAGE_API, 'apiFetch', base);
}

/**
 * Imports what a page needs for an engine that outlives it. It waits for nothing, and nothing for it: call it early.
 *
 * @param base - as of `loadPageApi`
 * @throws StartError `api_failed`
 */
export function loadOutliving(base: string): Promise<OutlivingScript> {
  return importPart(OUTLIVING, 'outlivingWorkers', base);
}

/** @param part - something that the script exports */
async function importPart<T extends { VERSION: string }>(
  file: string,
  part: keyof T,
  base: string,
): Promise<T> {
  const script = new URL(`${file}?${VERSION}`, base);
  try {
    const loaded = await importScript(script, (module) => {
      if (has<T>(module, part)) return module;
      throw new TypeError('Another script.');
    });
    void warnOfOtherVersion(script, loaded.VERSION);
    return loaded;
  } catch (cause) {
    const fault = await faultOf(script, 'api_failed');
    const message = `${script.href} could not be loaded: ${String(cause)} \`npx slashv1 init\` brings it.`;
    throw fault ?? new StartError('api_failed', message, { cause });
  }
}

function has<T>(module: unknown, part: keyof T): module is T {
  return typeof module === 'object' && module !== null && part in module;
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
