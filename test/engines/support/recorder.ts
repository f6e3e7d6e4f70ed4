import { once } from 'node:events';
import { createServer, request as ask } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Stands between the page and an engine, and keeps what the engine sent. */
export interface Recorder {
  /** Ends with `/v1`. */
  baseURL: string;
  /** Body of the last answer to a POST. */
  answer: Buffer;
  close(): Promise<void>;
}

/** @param baseURL - of the engine */
export async function record(baseURL: string): Promise<Recorder> {
  const { port: enginePort } = new URL(baseURL);
  const server = createServer((request, response) => {
    const { method = '', url, headers } = request;
    const target = { host: '127.0.0.1', port: enginePort, method, path: url, headers };
    const forwarded = ask(target, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      const pieces: Buffer[] = [];
      answer.on('data', (piece: Buffer) => pieces.push(piece));
      answer.on('end', () => {
        if (method === 'POST') recorder.answer = Buffer.concat(pieces);
      });
      // A replica that dies must look so to the page.
      answer.on('error', () => response.destroy()).pipe(response);
    });
    forwarded.on('error', () => response.destroy());
    response.on('close', () => forwarded.destroy());
    request.pipe(forwarded);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const recorder: Recorder = {
    baseURL: `http://127.0.0.1:${port}/v1`,
    answer: Buffer.alloc(0),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return recorder;
}
