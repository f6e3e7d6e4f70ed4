import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Ports below those that systems give to whoever asks for any one (Linux: 32,768 and up, others: 49,152 and up), and
 * above those of Ray's workers. A server that starts late still finds its port free, also one that starts again.
 */
const [FIRST, COUNT] = [20_000, 12_000];

/** A port on which nothing listens. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * COUNT);
    const server = createServer().listen(port);
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
