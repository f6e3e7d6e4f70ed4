import type { ApiAccess } from './api-request.ts';
import type { AnswerEvent } from './api-client.ts';
import { serverAccess } from '../servers/server-access.ts';
import { knownServers } from '../servers/known-servers.ts';
import { streamResponse, type HelpedQuestion } from './response-client.ts';

/**
 * Answers a question with the help of stored files and of the servers that the chat's settings name. Servers that the
 * user has removed are left out.
 */
export async function* helpedAnswer(
  api: ApiAccess,
  question: Omit<HelpedQuestion, 'servers'>,
  signal: AbortSignal,
): AsyncGenerator<AnswerEvent> {
  const { servers: wanted = [] } = question.settings;
  const servers = knownServers.value.filter(({ url }) => wanted.includes(url));
  const access = servers.length === 0 ? api : await serverAccess(servers);
  yield* streamResponse(access, { ...question, servers }, signal);
}
