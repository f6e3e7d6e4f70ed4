import type { GenerateJob } from '../../../src/core/operations/jobs/jobs.ts';
import type { Context } from '../../context.ts';
import { fileUse, MOST_SEARCHES } from '../file-search/file-use.ts';
import type { Passage } from '../file-search/file-search-request.ts';
import { askedServers } from '../mcp/asked-servers.ts';
import { notOffered, type ServerItems } from '../mcp/mcp-items.ts';
import { ServerUse } from '../mcp/server-use.ts';
import type { ResponseRequest } from '../response-request.ts';
import { ownFunctions, responseTools } from '../response-tools.ts';
import type { HostedUse } from './answer-with-tools.ts';

/** Most calls of an answer that may call servers. */
const MOST_CALLS = 16;

/** What the model reads with a request. */
interface Read {
  /** The results of earlier searches. */
  passages: readonly Passage[];
  /** The items about servers. */
  servers: ServerItems;
  /** Tokens. */
  contextLength: number;
}

/**
 * The tools that are run here for a request; undefined: none.
 *
 * @throws ApiError as fileUse and serverUse
 */
export async function hostedUse(
  context: Context,
  request: ResponseRequest,
  job: GenerateJob,
  read: Read,
): Promise<HostedUse | undefined> {
  const files = await fileUse(context, request, job, read);
  const servers = serverUse(context, request, read);
  if (!files.find && read.passages.length === 0 && !servers) return undefined;
  const most = servers ? MOST_CALLS : MOST_SEARCHES;
  return {
    files,
    servers,
    most: Math.min(most, request.max_tool_calls ?? most),
    offer: () => responseTools(request, servers?.functions),
  };
}

/**
 * The servers that a request names; undefined: none.
 *
 * @throws ApiError 400 as askedServers, and for an approval of a call of another server
 */
export function serverUse(
  { key }: Pick<Context, 'key'>,
  request: ResponseRequest,
  { servers, contextLength }: Pick<Read, 'servers' | 'contextLength'>,
): ServerUse | undefined {
  const asked = askedServers(request, key);
  const { approved, known } = servers;
  const absent = approved.find(({ label }) => asked.every((each) => each.label !== label));
  if (absent) throw notOffered(absent);
  if (asked.length === 0) return undefined;
  return new ServerUse({
    servers: asked,
    known,
    approved,
    others: ownFunctions(request),
    contextLength,
  });
}
