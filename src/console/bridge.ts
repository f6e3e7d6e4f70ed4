import { BRIDGE_PATH, BRIDGE_PROTOCOL } from '../core/realms/bridge-messages.ts';
import { start } from '../index.ts';
import { BridgeClient } from './bridge/bridge-client.ts';

/**
 * Connects this page to `slashv1 serve --headless`: the page fetches what the command's clients request
 * over HTTP. When the command has ended, closes the page and resolves.
 *
 * @param params - `bridge`: the one-time token that the command put after the `#` of the address
 */
export async function runBridge(params: URLSearchParams): Promise<void> {
  const token = params.get('bridge') ?? '';
  // A one-time token in the address would only confuse readers of a bug report.
  history.replaceState(null, '', location.pathname + location.search);
  const address = new URL(BRIDGE_PATH, location.origin);
  address.protocol = address.protocol.replace('http', 'ws');
  const socket = new WebSocket(address, [BRIDGE_PROTOCOL, token]);
  await new BridgeClient(socket, start).run();
  // A headless browser is of no use without its command.
  window.close();
}
