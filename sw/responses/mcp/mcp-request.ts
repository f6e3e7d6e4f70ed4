import * as v from 'valibot';
import {
  anyObject,
  closedObject,
  flag,
  nonEmptyText,
  object,
  optional,
  text,
  typeOf,
} from '../../http/fields.ts';

/** The type of the tool. */
export const MCP = 'mcp';

const toolNames = v.array(text, 'must be an array');

/** Tools of a server: those that have one of the names, and the annotation, as far as the filter says. */
const toolFilter = closedObject({ tool_names: optional(toolNames), read_only: optional(flag) });
export type ToolFilter = v.InferOutput<typeof toolFilter>;

const allowedTools = v.lazy((value): typeof toolNames | typeof toolFilter =>
  Array.isArray(value) ? toolNames : toolFilter,
);

const approvalWord = v.picklist(['always', 'never'], 'must be always, never or an object');
const approvalFilter = closedObject({
  always: optional(toolFilter),
  never: optional(toolFilter),
});
const approval = v.lazy((value): typeof approvalWord | typeof approvalFilter =>
  typeof value === 'object' ? approvalFilter : approvalWord,
);

const headers = v.pipe(
  anyObject,
  v.check(
    (given) => Object.values(given).every((each) => typeof each === 'string'),
    'must have strings as values',
  ),
);

/** Names of servers, as OpenAI allows them. */
const label = v.pipe(
  text,
  v.check(
    (given) => /^[a-z][\w-]{0,63}$/i.test(given),
    'must begin with a letter, and may have 64 letters, digits, - and _',
  ),
);

export const mcpTool = object({
  type: v.literal(MCP),
  server_label: label,
  server_url: optional(text),
  server_description: optional(text),
  allowed_tools: optional(allowedTools),
  require_approval: optional(approval),
  authorization: optional(nonEmptyText),
  headers: optional(headers),
  connector_id: optional(v.unknown()),
  tunnel_id: optional(v.unknown()),
  defer_loading: optional(flag),
  allowed_callers: optional(v.array(text, 'must be an array')),
});
export type McpServerTool = v.InferOutput<typeof mcpTool>;

/** What chooses a tool of a server, or any of its tools. */
export const mcpChoice = closedObject({
  type: v.literal(MCP),
  server_label: text,
  name: optional(text),
});
export type McpChoice = v.InferOutput<typeof mcpChoice>;

const listedTool = object({
  name: nonEmptyText,
  description: optional(text),
  input_schema: anyObject,
  annotations: optional(anyObject),
});

/** The fields of the items about servers, beside those that other items have, too. */
export const mcpEntries = {
  server_label: optional(text),
  tools: optional(v.array(listedTool, 'must be an array')),
  approval_request_id: optional(text),
  approve: optional(flag),
  reason: optional(text),
  error: optional(v.unknown()),
};

/** The types of the items about servers. */
export const MCP_ITEMS = [
  'mcp_list_tools',
  'mcp_call',
  'mcp_approval_request',
  'mcp_approval_response',
];

export function isMcp<T extends object>(tool: T): tool is Extract<T, { type: typeof MCP }> {
  return typeOf(tool) === MCP;
}
