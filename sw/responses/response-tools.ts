import type { ToolOffer } from '../../src/core/operations/jobs.ts';
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
import type { ResponseRequest } from './response-request.ts';

/**
 * The tools that a request offers; undefined if it offers none.
 *
 * @throws ApiError 400 for tools of other types, for a choice of a tool that is not a function, and as askedSearch and
 *   toolOffer
 */
export function responseTools(request: ResponseRequest): ToolOffer | undefined {
  const search = askedSearch(request);
  const isOffered = search?.by === 'model';
  const inItsPlace = isOffered ? SEARCH_FUNCTION : { unsupported: FILE_SEARCH };
  return toolOffer({
    tools: checkedTools(request.tools).map((tool) => (isFileSearch(tool) ? inItsPlace : tool)),
    ...chosen(request.tool_choice, search?.by),
    // A search comes before what the model makes of it.
    parallel: isOffered ? false : request.parallel_tool_calls,
    choiceField: 'tool_choice',
    nameField: (index) => `tools[${index}].name`,
  });
}

/** Where the functions of `responseTools` stand among a request's tools. */
export function toolPlaces(request: ResponseRequest): number[] {
  const isOffered = askedSearch(request)?.by === 'model';
  return (request.tools ?? []).flatMap((tool, index) =>
    isOtherType(tool) || (isFileSearch(tool) && !isOffered) ? [] : index,
  );
}

type Chosen = Pick<RequestedOffer, 'choice' | 'allowed'>;

function chosen(asked: ResponseRequest['tool_choice'], by: AskedSearch['by']): Chosen {
  if (asked == null || typeof asked === 'string') {
    // The request has its call already.
    return { choice: by === 'request' ? 'auto' : (asked ?? 'auto') };
  }
  if (isOtherType(asked)) throw unsupportedChoice(asked);
  if (asked.type === FILE_SEARCH) return { choice: 'auto' };
  if (asked.type === 'function') return { choice: { name: asked.name } };
  const { mode, tools } = asked;
  if (by === 'request') return { choice: 'none' };
  const names = tools.flatMap((tool, index) => {
    if (isFileSearch(tool)) return FILE_SEARCH;
    return isLeftOut(tool, `tool_choice.tools[${index}]`) ? [] : tool.name;
  });
  return { choice: mode ?? 'auto', allowed: names };
}
