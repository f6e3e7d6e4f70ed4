import type { Engine } from '../src/core/port/engine.ts';
import type { ApiOperation } from '../src/core/operations/jobs/jobs.ts';
import { CatalogReader } from '../src/core/catalog/catalog.ts';
import { DeviceReader } from '../src/core/database/device-store.ts';
import { KeyReader } from '../src/core/keys/key-reader.ts';
import { KeyUse } from '../src/core/keys/key-use.ts';
import { smallDatabase } from '../src/core/database/small-database.ts';
import type { StoredKey } from '../src/core/database/database.ts';
import { checkSignedUrl } from '../src/core/keys/signed-url.ts';
import type { AppOptions } from './app.ts';
import { RequestLog } from './metering/request-log.ts';
import type { HeadersOf } from './upstreams/upstream-fetch.ts';
import { UpstreamModels } from './upstreams/upstream-models.ts';

/**
 * The options of a site's API, which reads what the site's pages and engine have stored.
 *
 * @param root - path that contains `v1`, with slashes at both ends: `/` or `/repo/`
 * @param headersOf - gives the headers of upstreams
 * @param hasSignals - as in AppOptions
 */
export function siteApi(
  root: string,
  engine: Engine<ApiOperation>,
  headersOf: HeadersOf,
  hasSignals = false,
): AppOptions {
  const open = smallDatabase(root);
  const keys = new KeyReader(open);
  const use = new KeyUse(open);
  const device = new DeviceReader(open);
  const noted = async (checking: Promise<StoredKey>) => {
    const key = await checking;
    // No request waits for this, or fails if it fails.
    use.note(key).catch(() => undefined);
    return key;
  };
  return {
    path: `${root}v1`,
    engine,
    hasSignals,
    authenticate: (authorization) => noted(keys.check(authorization)),
    authenticateUrl: (url) => noted(checkSignedUrl(url, (id) => keys.find(id))),
    spend: (id, tokens) => use.spend(id, tokens),
    log: new RequestLog(root),
    catalog: new CatalogReader(open),
    device: () => device.read(),
    upstreams: { headersOf, models: new UpstreamModels(headersOf) },
  };
}
