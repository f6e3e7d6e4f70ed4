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
  /** Names the request to the client, and to those who watch. */
  id: string;
  /** As it came. Only `body` reads its body. */
  request: Request;
  body: RequestBody;
  /** As upstreams name it: `v1/chat/completions`. */
  path: string;
  endpoint: Endpoint<Context>;
  /** Decoded part of the path that a name in the endpoint's path stands for. */
  rest: string;
  /** The key that the request came with. */
  key: StoredKey;
  /** Counts what the key uses; undefined: it has no budget. */
  budget: KeyBudget | undefined;
  /** Tells those who watch; undefined: nobody does. */
  report: RequestReport | undefined;
  catalog: Catalog;
  /** The device as the latest engine found it; before the first one, nothing is known. */
  device: () => Promise<Device>;
  /** Where requests may go on to; undefined: nothing leaves this device. */
  upstreams: Upstreams | undefined;
}
