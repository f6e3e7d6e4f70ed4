import type { Engine } from '../src/core/protocol/engine.ts';
import type { ApiOperation } from '../src/core/protocol/jobs.ts';
import { CatalogReader } from '../src/core/stores/catalog.ts';
import { DeviceReader } from '../src/core/stores/device-store.ts';
import { KeyReader } from '../src/core/stores/key-reader.ts';
import { plainReader } from '../src/core/stores/plain-reader.ts';
import { checkSignedUrl } from '../src/core/stores/signed-url.ts';
import { createApp } from './app.ts';

/**
 * The API of a site, with what its pages and its engine have stored.
 *
 * @param root - path that contains `v1`, with slashes at both ends
 * @param hasSignals - as in AppOptions
 */
export function siteApp(
  root: string,
  engine: Engine<ApiOperation>,
  hasSignals = false,
): (request: Request) => Promise<Response> {
  const open = plainReader(root);
  const keys = new KeyReader(open);
  const device = new DeviceReader(open);
  return createApp({
    root,
    engine,
    hasSignals,
    authenticate: (authorization) => keys.check(authorization),
    authenticateUrl: (url) => checkSignedUrl(url, (id) => keys.find(id)),
    catalog: new CatalogReader(open),
    device: () => device.read(),
  });
}
