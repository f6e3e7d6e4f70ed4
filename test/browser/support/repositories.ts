import { createServer, type ServerResponse } from 'node:http';
import type { Repositories } from '../../support/random-voices.ts';
import { treeEntry } from './hub.ts';
import { closeServer, port } from './site.ts';

const SHA = 'fedcba9876543210fedcba9876543210fedcba98';

/** A hub on this machine with some repositories: the real one's paths. */
export interface RepositoryHub {
  /** What `start` takes as `hub`. */
  url: string;
  requests: string[];
  close(): Promise<void>;
}

export async function serveRepositories(repositories: Repositories): Promise<RepositoryHub> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const path = decodeURIComponent((request.url ?? '').replace(/\?.*/, ''));
    requests.push(path);
    response.setHeader('access-control-allow-origin', '*');
    for (const [repository, files] of repositories) {
      const api = `/api/${repository.startsWith('datasets/') ? '' : 'models/'}${repository}`;
      if (path === `${api}/revision/main`) return json(response, { sha: SHA });
      if (path === `${api}/tree/${SHA}`) {
        return json(response, [...files, ['README.md', Buffer.from('any')] as const].map(entry));
      }
      const folder = `/${repository}/resolve/${SHA}/`;
      const file = path.startsWith(folder) ? files.get(path.slice(folder.length)) : undefined;
      if (file) return void response.writeHead(200, { 'content-length': file.length }).end(file);
    }
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${port(server)}/`;
  return { url, requests, close: () => closeServer(server) };
}

function entry([path, bytes]: readonly [string, Buffer]) {
  return treeEntry(path, bytes);
}

function json(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
