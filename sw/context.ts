import type { Engine } from '../src/core/port/engine.ts';
import type { ApiOperation } from '../src/core/operations/jobs.ts';
import type { CatalogEntry } from '../src/core/catalog/catalog-entry.ts';
import type { StoredKey } from '../src/core/database/database.ts';
import type { Device } from '../src/core/fit/device-fit.ts';
import type { Grace } from './http/running-job.ts';
import type { Upstreams } from './upstreams/upstreams.ts';

/** The known models. */
export interface Catalog {
  list(): Promise<CatalogEntry[]>;
  get(id: string): Promise<CatalogEntry | undefined>;
}

/** What a request's handler gets. */
export interface Context {
  request: Request;
  engine: Engine<ApiOperation>;
  catalog: Catalog;
  /** The device as the latest engine found it; before the first one, nothing is known. */
  device: () => Promise<Device>;
  /** The key that the request came with. */
  key: StoredKey;
  /** Decoded rest of the path, for routes that have one. */
  rest: string;
  /** Undefined: nothing leaves this device. */
  upstreams: Upstreams | undefined;
  /** Undefined: the usual grace. */
  graceMs: Grace | undefined;
}
