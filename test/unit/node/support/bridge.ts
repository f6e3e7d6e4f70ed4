import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { onTestFinished } from 'vitest';
import { BridgeClient } from '../../../../src/console/bridge/bridge-client.ts';
import type { ApiRequest, Requests } from '../../../../src/index.ts';
import {
  BRIDGE_PROTOCOL,
  type WatchedRequest,
} from '../../../../src/core/realms/bridge-messages.ts';
import { ApiServer } from '../../../../src/node/serve/api-server.ts';
import { createBridge } from '../../../../src/node/serve/bridge/bridge.ts';
import type { BridgePage } from '../../../../src/node/serve/bridge/bridge-page.ts';
import { PageDoor } from '../../../../src/node/serve/bridge/page-door.ts';
import { serveForTest, serveHandler } from './servers.ts';

/** A server at which pages can connect, and a function that connects one with Node's WebSocket. */
export async function openDoor() {
  const site = createServer();
  const door = new PageDoor(site);
  const origin = await serveForTest(site);
  const address = origin.replace('http', 'ws');
  const connect = (token: string, protocol = BRIDGE_PROTOCOL) => {
    const socket = new WebSocket(`${address}/bridge`, [protocol, token]);
    onTestFinished(() => socket.close());
    return socket;
  };
  return { door, origin, connect };
}

/** A page that has connected, and its end of the connection. */
export async function openPage() {
  const { door, connect } = await openDoor();
  const { token, page: connecting } = door.invite();
  const socket = connect(token);
  const [page]: [BridgePage, ...unknown[]] = await Promise.all([connecting, once(socket, 'open')]);
  return { page, socket };
}

/**
 * A bridge to a page, which runs the console's own code. `worker` answers the page's fetches in place of the
 * service worker, at `/base/v1/…`.
 */
export async function openBridge(
  worker: RequestListener,
  allowOrigins: string[] = [],
  logs = false,
) {
  const { page, socket } = await openPage();
  const baseURL = `${await serveHandler(worker)}/base/v1`;
  const watchers: ((request: ApiRequest) => void)[] = [];
  const requests: Requests = {
    watch: (listener) => {
      watchers.push(listener);
      return Promise.resolve(() => {});
    },
  };
  const models = {
    add: (source: unknown) => Promise.resolve(String(source)),
    install: () => Promise.resolve(),
  };
  void new BridgeClient(socket, () => Promise.resolve({ baseURL, models, requests })).run();
  const logged: WatchedRequest[] = [];
  const onRequest = (request: WatchedRequest) => void logged.push(request);
  await page.start({ apiKey: 'key', onProgress: () => {}, ...(logs && { onRequest }) });
  const listener = createBridge({
    page: () => Promise.resolve(page),
    allowOrigins,
    site: 'http://site/',
  });
  const origin = await serveForTest(new ApiServer(listener));
  return { origin, url: `${origin}/v1`, page, socket, watchers, logged };
}
