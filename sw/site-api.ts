import type { Engine } from '../src/core/protocol/engine.ts';
import type { ApiOperation } from '../src/core/protocol/jobs.ts';
import { CatalogReader } from '../src/core/stores/catalog.ts';
import { DeviceReader } from '../src/core/stores/device-store.ts';
import { KeyReader } from '../src/core/stores/key-reader.ts';
import { plainReader } from '../src/core/stores/plain-reader.ts';
import { checkSignedUrl } from '../src/core/stores/signed-url.ts';
import type { AppOptions } from './app.ts';
import type { HeadersOf } from './upstreams/upstream-fetch.ts';
import { UpstreamModels } from './upstreams/upstream-models.ts';

/**
 * What the API of a site is built on: what its pages and its engine have stored.
 *
 * @param root - path that contains `v1`, with slashes at both ends: `/` or `/repo/`
 * @param headersOf - of upstreams
 * @param hasSignals - as in AppOptions
 */
export function siteApi(
  root: string,
  engine: Engine<ApiOperation>,
  headersOf: HeadersOf,
  hasSignals = false,
): AppOptions {
  const open = plainReader(root);
  const keys = new KeyReader(open);
  const device = new DeviceReader(open);
  return {
    path: `${root}v1`,
    engine,
    hasSignals,
    authenticate: (authorization) => keys.check(authorization),
    authenticateUrl: (url) => checkSignedUrl(url, (id) => keys.find(id)),
    catalog: new CatalogReader(open),
    device: () => device.read(),
    upstreams: { headersOf, models: new UpstreamModels(headersOf) },
  };
}
