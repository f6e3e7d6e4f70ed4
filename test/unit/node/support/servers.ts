import { createServer, type RequestListener } from 'node:http';
import { onTestFinished } from 'vitest';
import { listen } from '../../../../src/node/serve/listen.ts';

/** Serves on a free port until the test has ended, and returns the origin. */
export async function serveForTest(server: Parameters<typeof listen>[0]): Promise<string> {
  const { origin, close } = await listen(server, 0, '--port');
  onTestFinished(close);
  return origin;
}

export function serveHandler(handler: RequestListener): Promise<string> {
  return serveForTest(createServer(handler));
}
