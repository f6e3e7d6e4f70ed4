import { createServer } from 'node:http';
import { listenAnywhere } from '../servers.ts';

/** A service on another origin than the page, which pages may call. It only notes the requests. */
export interface CountingServer {
  /** Without a slash at its end. */
  origin: string;
  /** Methods and paths of all requests, in order. */
  requests: string[];
  close(): Promise<void>;
}

export async function countingServer(): Promise<CountingServer> {
  const requests: string[] = [];
  const server = createServer(({ method, url }, response) => {
    requests.push(`${method} ${url}`);
    const headers = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' };
    response.writeHead(200, headers).end('the service itself');
  });
  const { origin, close } = await listenAnywhere(server);
  return { origin, requests, close };
}
