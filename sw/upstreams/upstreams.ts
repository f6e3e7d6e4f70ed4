import type { HeadersOf } from './upstream-fetch.ts';
import type { UpstreamModels } from './upstream-models.ts';

/** What requests may go on to. */
export interface Upstreams {
  headersOf: HeadersOf;
  models: UpstreamModels;
}
