import type { ServerResponse } from 'node:http';
import { listen } from '../src/node/serve/listen.ts';
import { createSiteServer } from '../src/node/serve/site-server.ts';
import { Line } from './line.ts';

export interface DistantServer {
  origin: string;
  /** The path of each request so far. */
  paths: readonly string[];
  close(): Promise<void>;
}

/**
 * Serves a site at the end of a line. Pages of other origins may read it.
 *
 * @param folder - of the site
 * @param bytesPerSecond - limit of the line
 */
export async function serveFromAfar(
  folder: string,
  bytesPerSecond: number,
): Promise<DistantServer> {
  const line = new Line(bytesPerSecond);
  const paths: string[] = [];
  const server = createSiteServer(folder);
  server.prependListener('request', ({ url = '/' }, response: ServerResponse) => {
    paths.push(url);
    response.setHeader('access-control-allow-origin', '*');
    sendOver(line, response);
  });
  const { origin, close } = await listen(server, 0, '--port');
  return { origin, paths, close };
}

/** Makes the response wait for the line before each piece. */
function sendOver(line: Line, response: ServerResponse): void {
  const write = response.write.bind(response);
  const end = response.end.bind(response);
  let sent = Promise.resolve();
  const send = async (piece: Buffer | string) => {
    await line.carry(piece.length);
    if (response.destroyed) return;
    write(piece);
    // Whoever writes has been told to wait.
    response.emit('drain');
  };
  const throttled = {
    write(piece: Buffer | string): boolean {
      sent = sent.then(() => send(piece));
      return false;
    },
    end(piece?: Buffer | string): ServerResponse {
      if (piece !== undefined) throttled.write(piece);
      void sent.then(() => end());
      return response;
    },
  };
  Object.assign(response, throttled);
}
