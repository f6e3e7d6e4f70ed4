import type { McpTool } from '../../../src/core/operations/jobs/mcp-job.ts';
import { uniqueName } from '../../../src/core/text/unique-name.ts';
import type { OfferedFunction } from '../../generation/request/tool-offer.ts';
import type { AskedServer } from './asked-servers.ts';

/** A tool of a server, as the function that the model calls. */
export interface ServerFunction extends OfferedFunction {
  server: AskedServer;
  tool: McpTool;
}

/** A server, and the tools that it has. */
export interface ListedServer {
  server: AskedServer;
  tools: readonly McpTool[];
}

/**
 * The functions that stand for the tools of servers. Each has its tool's name, unless another function has it or
 * functions cannot have such a name.
 *
 * @param others - names of the request's own functions
 */
export function serverFunctions(
  listed: readonly ListedServer[],
  others: readonly string[],
): ServerFunction[] {
  const allowed = listed.flatMap(({ server, tools }) =>
    tools.filter(server.isAllowed).map((tool) => ({ server, tool })),
  );
  const count = (name: string) => allowed.filter(({ tool }) => tool.name === name).length;
  const taken = new Set(others);
  return allowed.map(({ server, tool }) => {
    const isClear = count(tool.name) === 1 && !taken.has(tool.name);
    const name = uniqueName(isClear ? tool.name : `${server.label}_${tool.name}`, taken);
    const texts = [tool.description, server.description];
    return {
      name,
      description: texts.filter((each) => each !== undefined && each !== '').join('\n'),
      parameters: tool.input_schema,
      server,
      tool,
    };
  });
}
