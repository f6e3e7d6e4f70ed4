import type { McpFault, McpTool } from '../../../src/core/operations/jobs/mcp-job.ts';
import type { Passage } from '../file-search/file-search-request.ts';

type ItemStatus = 'in_progress' | 'completed' | 'incomplete' | 'failed';

/** An item about a tool that is run here while the model answers. */
export type HostedItem = SearchItem | ListItem | CallItem | ApprovalItem;

/** A search for passages of files. */
export interface SearchItem {
  id: string;
  type: 'file_search_call';
  status: ItemStatus;
  queries: string[];
  /** Null unless they are asked for. */
  results: Passage[] | null;
}

/** The tools of a server. */
export interface ListItem {
  id: string;
  type: 'mcp_list_tools';
  server_label: string;
  tools: McpTool[];
  /** Missing if the server has answered: some clients accept no null. */
  error?: McpFault;
}

/** A call of a server's tool. */
export interface CallItem {
  id: string;
  type: 'mcp_call';
  status: ItemStatus;
  server_label: string;
  name: string;
  arguments: string;
  output: string | null;
  error: McpFault | null;
  approval_request_id: string | null;
}

/** A call that its user has to approve before. */
export interface ApprovalItem {
  id: string;
  type: 'mcp_approval_request';
  server_label: string;
  name: string;
  arguments: string;
}

/** What a response reports of such tools, beside what the model writes. */
export type HostedEvent =
  /** `stages`: the ends of the names of the events about its progress, `response.mcp_call.in_progress`. */
  | { type: 'item-begun'; item: HostedItem; stages: readonly string[] }
  | { type: 'item-ended'; item: HostedItem; stage: string | undefined }
  | { type: 'cited'; passage: Passage };
