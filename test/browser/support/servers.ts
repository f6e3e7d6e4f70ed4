import type { Server, ServerResponse } from 'node:http';
import { listen, type Listening } from '../../../src/node/serve/listen.ts';

/** Starts a server on this machine, at any free port. */
export function listenAnywhere(server: Server): Promise<Listening> {
  return listen(server, 0, '--port');
}

export function sendJson(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
