import { BRIDGE_PATH, BRIDGE_PROTOCOL } from '../core/protocol/bridge-messages.ts';
import { start } from '../index.ts';
import { BridgeClient } from './bridge/bridge-client.ts';

/**
 * Makes this page the far end of `slashv1 serve --headless`: what the command's clients ask for over
 * HTTP, this page fetches. Never ends while the command runs; then it closes the page.
 *
 * @param params - `bridge`: the one-time token that the command put behind the `#` of the address
 */
export async function runBridge(params: URLSearchParams): Promise<void> {
  const token = params.get('bridge') ?? '';
  // The token is worth nothing any more, but would still confuse in a bug report.
  history.replaceState(null, '', location.pathname + location.search);
  const address = new URL(BRIDGE_PATH, location.origin);
  address.protocol = address.protocol.replace('http', 'ws');
  const socket = new WebSocket(address, [BRIDGE_PROTOCOL, token]);
  await new BridgeClient(socket, start).run();
  // Without its command, a headless browser would only be left over.
  window.close();
}
