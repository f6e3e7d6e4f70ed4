import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';

const PROCESS = fileURLToPath(new URL('distant-process.ts', import.meta.url));

export interface DistantServer {
  origin: string;
  /** The path of each request so far. */
  paths: () => Promise<string[]>;
  close: () => Promise<void>;
}

/**
 * Serves a site over a line of limited speed. Pages of other origins may read it.
 *
 * The server has a process of its own, because a distant server takes no time of this computer. In the bench's process,
 * whose heap is large, a tenth of a visit's CPU time went into the server's garbage collection.
 *
 * @param folder - folder of the site
 * @param bytesPerSecond - limit of the line
 */
export async function serveFromAfar(
  folder: string,
  bytesPerSecond: number,
): Promise<DistantServer> {
  const server = fork(PROCESS, [folder, String(bytesPerSecond)]);
  const answer = async () => {
    const [message] = (await once(server, 'message')) as unknown[];
    return message;
  };
  const origin = v.parse(v.string(), await answer());
  return {
    origin,
    paths: async () => {
      server.send('paths');
      return v.parse(v.array(v.string()), await answer());
    },
    close: async () => {
      server.disconnect();
      await once(server, 'exit');
    },
  };
}
