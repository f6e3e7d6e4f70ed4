import { invalidRequest } from '../../../src/core/errors/errors.ts';
import type { Filter } from '../../../src/core/retrieval/filters.ts';
import { readFilter } from '../../vector-stores/attributes.ts';
import { isMcp, MCP } from '../mcp/mcp-request.ts';
import type { ResponseRequest } from '../response-request.ts';
import { FILE_SEARCH, isFileSearch, type FileSearchTool } from './file-search-request.ts';

/** A search that a request asks for. */
export interface AskedSearch {
  tool: FileSearchTool;
  /** Index of the tool among the request's. */
  index: number;
  filter: Filter | undefined;
  /** The request or the model decides that files are searched; undefined: nothing is searched. */
  by: 'request' | 'model' | undefined;
}

/**
 * What a request says about searching files; undefined: nothing.
 *
 * @throws ApiError 400 for a second tool of this kind, bad filters, and a choice of a tool that is not there
 */
export function askedSearch({ tools, tool_choice }: ResponseRequest): AskedSearch | undefined {
  const all = tools ?? [];
  const index = all.findIndex(isFileSearch);
  const tool = all[index];
  const by = decider(tool_choice, all.some(isNamed));
  if (!tool || !isFileSearch(tool)) {
    if (by !== 'chosen') return undefined;
    const message = `'tool_choice' is '${FILE_SEARCH}', which is not among 'tools'.`;
    throw invalidRequest(message, 'tool_choice');
  }
  const second = all.findIndex((each, at) => at > index && isFileSearch(each));
  if (second > 0) {
    throw invalidRequest(`There may be one tool of the type ${FILE_SEARCH}.`, `tools[${second}]`);
  }
  const filter =
    tool.filters == null ? undefined : readFilter(tool.filters, `tools[${index}].filters`);
  return { tool, index, filter, by: by === 'chosen' ? 'request' : by };
}

/** `chosen`: the request names the tool itself. */
function decider(
  choice: ResponseRequest['tool_choice'],
  hasFunctions: boolean,
): AskedSearch['by'] | 'chosen' {
  const usual = hasFunctions ? 'model' : 'request';
  if (choice == null || choice === 'auto' || choice === 'required') return usual;
  if (typeof choice === 'string' || 'unsupported' in choice) return undefined;
  if (choice.type === FILE_SEARCH) return 'chosen';
  if (choice.type === 'function' || choice.type === MCP) return undefined;
  if (!choice.tools.some(isFileSearch)) return undefined;
  return choice.tools.some(isNamed) ? 'model' : 'chosen';
}

/** Whether this is a function or a server, or names one. */
function isNamed(tool: object): boolean {
  return 'name' in tool || isMcp(tool);
}
