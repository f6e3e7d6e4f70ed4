import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { BRIDGE_PATH, BRIDGE_PROTOCOL } from '../../../core/realms/bridge-messages.ts';
import { BridgePage } from './bridge-page.ts';
import { isAddressedToUs } from './host-check.ts';
import { requestUrl } from './request-url.ts';

interface Invitation {
  token: string;
  accept(page: BridgePage): void;
}

/** Where the headless page connects. Only the invited page can connect, and only once. */
export class PageDoor {
  readonly #sockets = new WebSocketServer({
    noServer: true,
    handleProtocols: (protocols) => protocols.has(BRIDGE_PROTOCOL) && BRIDGE_PROTOCOL,
  });
  #invitation: Invitation | undefined;

  constructor(site: Server) {
    site.on('upgrade', (request, socket, head) => this.#admit(request, socket, head));
  }

  /** A token that is valid for one connection, and the page that connects with it. Earlier tokens expire. */
  invite(): { token: string; page: Promise<BridgePage> } {
    const token = randomBytes(32).toString('base64url');
    const page = new Promise<BridgePage>((accept) => {
      this.#invitation = { token, accept };
    });
    return { token, page };
  }

  #admit(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const invitation = this.#invitation;
    if (!invitation || !isAddressedToUs(request) || !isInvited(request, invitation.token)) {
      // Node has removed its own error listener. Without one, a reset would end the process.
      socket.on('error', () => {});
      socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\n\r\n');
      return;
    }
    this.#sockets.handleUpgrade(request, socket, head, (client) => {
      this.#invitation = undefined;
      invitation.accept(new BridgePage(client));
    });
  }
}

function isInvited({ url, headers }: IncomingMessage, token: string): boolean {
  const protocols = headers['sec-websocket-protocol']?.split(',').map((name) => name.trim()) ?? [];
  return (
    requestUrl(url)?.pathname === `/${BRIDGE_PATH}` &&
    protocols.some((protocol) => isEqual(protocol, token))
  );
}

/** Compares in constant time. Hashes, because timingSafeEqual throws when lengths differ. */
function isEqual(a: string, b: string): boolean {
  return timingSafeEqual(digest(a), digest(b));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
