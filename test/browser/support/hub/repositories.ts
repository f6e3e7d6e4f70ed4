import { createServer } from 'node:http';
import type { Repositories } from '../../../support/onnx/random-voices.ts';
import { noTraffic, sendFile, type Traffic } from '../../../support/servers/file-source.ts';
import { EXPOSED, treeEntry } from './hub.ts';
import { searchAnswer, type ListedRepository } from './hub-search.ts';
import { listenAnywhere, sendJson } from '../servers.ts';

const SHA = 'fedcba9876543210fedcba9876543210fedcba98';

/** A hub on this machine with several repositories, at the paths of the real one. */
export interface RepositoryHub {
  /** The option `hub` of `start`. */
  url: string;
  /** Paths of all requests, in order. */
  requests: string[];
  /** The requests for files, and the bytes sent for them. */
  traffic: Traffic;
  close(): Promise<void>;
}

/**
 * @param tags - repository → its tags, as the hub shows them
 * @param cards - repository → the metadata at the top of its README
 * @param listed - repositories that the hub's search can find
 * @param gated - repositories whose files need permission; requests for them get 401
 */
export async function serveRepositories(
  repositories: Repositories,
  tags: Record<string, string[]> = {},
  cards: Record<string, object> = {},
  listed: readonly ListedRepository[] = [],
  gated: readonly string[] = [],
): Promise<RepositoryHub> {
  const requests: string[] = [];
  const traffic = noTraffic();
  const server = createServer((request, response) => {
    const path = decodeURIComponent((request.url ?? '').replace(/\?.*/, ''));
    requests.push(path);
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-expose-headers', EXPOSED);
    if (path === '/api/models') {
      const asked = new URL(request.url ?? '', 'http://hub').searchParams;
      return sendJson(response, searchAnswer(listed, asked));
    }
    for (const [repository, files] of repositories) {
      const api = `/api/${repository.startsWith('datasets/') ? '' : 'models/'}${repository}`;
      if (path === api) {
        const info = { sha: SHA, tags: tags[repository] ?? [], cardData: cards[repository] };
        return sendJson(response, info);
      }
      if (path === `${api}/revision/main`) return sendJson(response, { sha: SHA });
      if (path === `${api}/tree/${SHA}`) {
        return sendJson(
          response,
          [...files, ['README.md', Buffer.from('any')] as const].map(entry),
        );
      }
      const folder = [SHA, 'main']
        .map((commit) => `/${repository}/resolve/${commit}/`)
        .find((each) => path.startsWith(each));
      if (folder !== undefined && gated.includes(repository)) {
        return void response.writeHead(401).end();
      }
      const file = folder === undefined ? undefined : files.get(path.slice(folder.length));
      if (file) return void sendFile({ bytes: file }, traffic, request, response);
    }
    response.writeHead(404).end();
  });
  const { origin, close } = await listenAnywhere(server);
  return { url: `${origin}/`, requests, traffic, close };
}

function entry([path, bytes]: readonly [string, Buffer]) {
  return treeEntry(path, bytes);
}
