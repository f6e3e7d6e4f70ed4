import type { Server as NetServer } from 'node:net';

type Server = NetServer & { closeAllConnections(): void };

/** Only programs on this computer can connect. */
const HOST = '127.0.0.1';

export interface Listening {
  /** Without a trailing slash. */
  origin: string;
  /** Stops listening and closes all connections. */
  close: () => Promise<void>;
}

/**
 * @param port - 0: any free port
 * @param option - the command-line option that sets the port, for error messages
 * @throws Error that says what to do
 */
export async function listen(server: Server, port: number, option: string): Promise<Listening> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(explain(error, port, option)));
    server.listen(port, HOST, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return { origin: `http://${HOST}:${address.port}`, close: () => close(server) };
}

function explain(error: Error, port: number, option: string): Error {
  const code = 'code' in error ? error.code : undefined;
  const choose = `Choose another with ${option} <number>, or 0 for any free port.`;
  if (code === 'EADDRINUSE')
    return new Error(`Port ${port} is in use. ${choose}`, { cause: error });
  if (code === 'EACCES')
    return new Error(`You may not use port ${port}. ${choose}`, { cause: error });
  return error;
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    // Answers that are written in this turn are still sent.
    setImmediate(() => server.closeAllConnections());
  });
}
