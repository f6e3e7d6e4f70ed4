import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import type { BrowserContext } from 'playwright/test';
import { withUndebugged } from './undebugged.ts';

/** A browser in which the names of some hosts lead to this machine. */
export interface NamedHosts {
  context: BrowserContext;
  /** How often anything has connected to one of them. Nothing is answered. */
  connections(): number;
}

/** Runs with a new profile whose browser maps these hosts, at all ports, to a server that only counts. */
export async function withNamedHosts<T>(
  names: string[],
  use: (hosts: NamedHosts) => Promise<T>,
): Promise<T> {
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    socket.on('error', () => undefined).destroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const rules = names.map((name) => `MAP ${name} 127.0.0.1:${port}`).join(',');
  try {
    return await withUndebugged(
      async (context) => {
        await context.addInitScript(
          () => (window.ofTests = { engine: 'llamacpp', outlive: false, onGpu: false }),
        );
        return use({ context, connections: () => connections });
      },
      [`--host-resolver-rules=${rules}`],
    );
  } finally {
    server.close();
  }
}
