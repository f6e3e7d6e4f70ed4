import { createServer } from 'node:http';
import {
  noTraffic,
  sendFile,
  type FileSource,
  type Traffic,
} from '../../../support/servers/file-source.ts';
import { EXPOSED } from './hub.ts';
import { listenAnywhere } from '../servers.ts';

/** A server of single files, on another origin than the page. */
export interface FileServer {
  /** Ends in "/". */
  url: string;
  traffic: Traffic;
  close(): Promise<void>;
}

/**
 * @param files - path → what is sent
 * @param options - `cors`: whether pages of other origins may read them
 */
export async function fileServer(
  files: Record<string, FileSource>,
  { cors = true }: { cors?: boolean } = {},
): Promise<FileServer> {
  const traffic = noTraffic();
  const server = createServer((request, response) => {
    if (cors) {
      response.setHeader('access-control-allow-origin', '*');
      response.setHeader('access-control-expose-headers', EXPOSED);
    }
    const file = files[request.url ?? ''];
    if (file) void sendFile(file, traffic, request, response);
    else response.writeHead(404).end();
  });
  const { origin, close } = await listenAnywhere(server);
  return { url: `${origin}/`, traffic, close };
}
