import type { CatalogEntry } from '../src/core/catalog/catalog-entry.ts';
import type { StoredKey } from '../src/core/database/database.ts';
import type { Device } from '../src/core/fit/device-fit.ts';
import type { Endpoint } from './http/endpoint.ts';
import type { RequestBody } from './http/request-body.ts';
import type { KeyBudget } from './metering/key-budget.ts';
import type { RequestReport } from './metering/request-report.ts';
import type { JobContext } from './road/running-job.ts';
import type { Upstreams } from './upstreams/upstream-models.ts';

/** The known models. */
export interface Catalog {
  list(): Promise<CatalogEntry[]>;
  get(id: string): Promise<CatalogEntry | undefined>;
}

/** A request on its way, and what the stages before have decided about it. */
export interface Context extends JobContext {
  /** Names the request to the client and to watching pages. */
  id: string;
  /** The request as it arrived. Only `body` reads its body. */
  request: Request;
  body: RequestBody;
  /** The path as upstreams name it: `v1/chat/completions`. */
  path: string;
  endpoint: Endpoint<Context>;
  /** Decoded parts of the request's path for the names in braces in the endpoint's path. */
  names: readonly string[];
  /** The key that the request came with. */
  key: StoredKey;
  /** Counts what the key uses; undefined: it has no budget. */
  budget: KeyBudget | undefined;
  /** Reports the request to watching pages; undefined: no page watches. */
  report: RequestReport | undefined;
  catalog: Catalog;
  /** The device as the latest engine found it; before the first one, nothing is known. */
  device: () => Promise<Device>;
  /** Where requests may be forwarded; undefined: nothing leaves this device. */
  upstreams: Upstreams | undefined;
  /** See `Client`. */
  client: Client | undefined;
}

/** The page that a request to a service worker came from. */
export interface Client {
  /** Whether the page has gone, which is why its request was cancelled. */
  hasGone(): Promise<boolean>;
  /** Keeps the service worker running until the returned function is called: nobody reads the answer any more. */
  stay(): () => void;
}
