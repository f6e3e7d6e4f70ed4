import { invalidRequest } from '../../src/core/errors/errors.ts';
import type { ToolOffer } from '../../src/core/operations/jobs/jobs.ts';
import {
  checkedTools,
  isLeftOut,
  isOtherType,
  unsupportedChoice,
} from '../generation/request/other-type.ts';
import { toolOffer, type RequestedOffer } from '../generation/request/tool-offer.ts';
import { askedSearch, type AskedSearch } from './file-search/asked-search.ts';
import { FILE_SEARCH, isFileSearch } from './file-search/file-search-request.ts';
import { SEARCH_FUNCTION } from './file-search/passages.ts';
import { isMcp, MCP, type McpChoice } from './mcp/mcp-request.ts';
import type { ServerFunction } from './mcp/server-functions.ts';
import type { ResponseRequest } from './response-request.ts';

/**
 * The tools that a request offers; undefined if it offers none.
 *
 * @param served - the tools of its servers; undefined: they are not known yet, and nothing is chosen
 * @throws ApiError 400 for tools of other types, for a choice of a tool that is not there, and as askedSearch and
 *   toolOffer
 */
export function responseTools(
  request: ResponseRequest,
  served?: readonly ServerFunction[],
): ToolOffer | undefined {
  const search = askedSearch(request);
  const isOffered = search?.by === 'model';
  const hasServers = request.tools?.some(isMcp) ?? false;
  const own = checkedTools(request.tools).map((tool) => {
    if (isMcp(tool)) return { unsupported: MCP };
    if (!isFileSearch(tool)) return tool;
    return isOffered ? SEARCH_FUNCTION : { unsupported: FILE_SEARCH };
  });
  const isKnown = !hasServers || served !== undefined;
  return toolOffer({
    tools: [...own, ...(served ?? [])],
    ...(isKnown ? chosen(request.tool_choice, search?.by, served ?? []) : { choice: 'auto' }),
    // What is run here comes before what the model makes of it.
    parallel: isOffered || hasServers ? false : request.parallel_tool_calls,
    choiceField: 'tool_choice',
    nameField: (index) => `tools[${index}].name`,
  });
}

/** Names of the functions that a request offers itself, and of the one that searches. */
export function ownFunctions({ tools }: ResponseRequest): string[] {
  return (tools ?? []).flatMap((tool) => {
    if (isFileSearch(tool)) return FILE_SEARCH;
    return isOtherType(tool) || isMcp(tool) ? [] : tool.name;
  });
}

/** Where the functions of `responseTools` stand among a request's tools. */
export function toolPlaces(
  request: ResponseRequest,
  served: readonly ServerFunction[] = [],
): number[] {
  const isOffered = askedSearch(request)?.by === 'model';
  const own = (request.tools ?? []).flatMap((tool, index) =>
    isOtherType(tool) || isMcp(tool) || (isFileSearch(tool) && !isOffered) ? [] : index,
  );
  return [...own, ...served.map(({ server }) => server.index)];
}

type Chosen = Pick<RequestedOffer, 'choice' | 'allowed'>;

function chosen(
  asked: ResponseRequest['tool_choice'],
  by: AskedSearch['by'],
  served: readonly ServerFunction[],
): Chosen {
  if (asked == null || typeof asked === 'string') {
    // The request has its call already.
    return { choice: by === 'request' ? 'auto' : (asked ?? 'auto') };
  }
  if (isOtherType(asked)) throw unsupportedChoice(asked);
  if (asked.type === FILE_SEARCH) return { choice: 'auto' };
  if (asked.type === MCP) {
    return { choice: 'required', allowed: chosenOf(asked, served, 'tool_choice') };
  }
  if (asked.type === 'function') return { choice: { name: asked.name } };
  const { mode, tools } = asked;
  if (by === 'request') return { choice: 'none' };
  const names = tools.flatMap((tool, index) => {
    const field = `tool_choice.tools[${index}]`;
    if (isFileSearch(tool)) return FILE_SEARCH;
    if (isMcp(tool)) return chosenOf(tool, served, field);
    return isLeftOut(tool, field) ? [] : tool.name;
  });
  return { choice: mode ?? 'auto', allowed: names };
}

/** The functions that stand for the chosen tools of a server. @throws ApiError 400 if there are none */
function chosenOf(
  { server_label: label, name }: McpChoice,
  served: readonly ServerFunction[],
  field: string,
): string[] {
  const ofServer = served.filter(({ server }) => server.label === label);
  const found = ofServer.filter(({ tool }) => name == null || tool.name === name);
  if (found.length > 0) return found.map((each) => each.name);
  const param = ofServer.length === 0 ? `${field}.server_label` : `${field}.name`;
  const what = ofServer.length === 0 ? `'${label}'` : `'${name}'`;
  throw invalidRequest(`'${param}' is ${what}, which 'tools' does not offer.`, param);
}
