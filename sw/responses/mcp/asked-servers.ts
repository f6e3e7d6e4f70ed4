import { invalidRequest, unsupportedValue } from '../../../src/core/errors/errors.ts';
import type { StoredKey } from '../../../src/core/database/database.ts';
import type { McpServer, McpTool } from '../../../src/core/operations/jobs/mcp-job.ts';
import type { ResponseRequest } from '../response-request.ts';
import { isMcp, type McpServerTool, type ToolFilter } from './mcp-request.ts';

/** A server whose tools a request offers to the model. */
export interface AskedServer {
  label: string;
  description: string | undefined;
  server: McpServer;
  /** Index of the tool among the request's. */
  index: number;
  isAllowed: (tool: McpTool) => boolean;
  needsApproval: (tool: McpTool) => boolean;
}

/**
 * The servers that a request names.
 *
 * @throws ApiError 400 for servers that the site has not listed, and for fields that are not supported
 */
export function askedServers(
  { tools }: Pick<ResponseRequest, 'tools'>,
  { mcp: listed }: Pick<StoredKey, 'mcp'>,
): AskedServer[] {
  const all: AskedServer[] = [];
  for (const [index, tool] of (tools ?? []).entries()) {
    if (!isMcp(tool)) continue;
    const field = `tools[${index}]`;
    refuseUnsupported(tool, field);
    if (!listed) {
      const message =
        "A tool of type 'mcp' needs a site that lists its servers: start({ mcp: { servers: [URL] } }).";
      throw unsupportedValue(message, `${field}.type`);
    }
    const { server_label: label } = tool;
    if (all.some((other) => other.label === label)) {
      const param = `${field}.server_label`;
      throw invalidRequest(`'${param}' is '${label}', as another tool's is.`, param);
    }
    all.push({
      label,
      description: tool.server_description ?? undefined,
      server: { url: serverUrl(tool, field, listed), headers: headersOf(tool, field) },
      index,
      isAllowed: allows(tool.allowed_tools),
      needsApproval: asksFor(tool.require_approval),
    });
  }
  return all;
}

function refuseUnsupported(tool: McpServerTool, field: string): void {
  const refuse = (name: string, isGiven: boolean) => {
    if (!isGiven) return;
    const param = `${field}.${name}`;
    throw unsupportedValue(`'${param}' is not supported: give a 'server_url'.`, param);
  };
  refuse('connector_id', tool.connector_id != null);
  refuse('tunnel_id', tool.tunnel_id != null);
  refuse('defer_loading', tool.defer_loading === true);
  refuse('allowed_callers', tool.allowed_callers?.some((each) => each !== 'direct') ?? false);
}

/** @param listed - the URLs that the site has listed: each stands for itself and what is below it */
function serverUrl(
  { server_url }: McpServerTool,
  field: string,
  listed: readonly string[],
): string {
  const param = `${field}.server_url`;
  if (server_url == null) throw invalidRequest(`'${param}' is required.`, param);
  const url = URL.canParse(server_url) ? new URL(server_url) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    const message = `'${param}' must be an absolute URL of http or https, without a user or a password.`;
    throw invalidRequest(message, param);
  }
  if (listed.some((each) => isBelow(url, new URL(each)))) return url.href;
  const message = `'${param}' is not among the servers that this site lists: start({ mcp: { servers } }).`;
  throw unsupportedValue(message, param);
}

function isBelow({ origin, pathname }: URL, listed: URL): boolean {
  const folder = listed.pathname.replace(/\/?$/, '/');
  return origin === listed.origin && `${pathname}/`.startsWith(folder);
}

/** The headers of every request to a server. They are sent to it only. */
function headersOf({ headers: given, authorization }: McpServerTool, field: string) {
  const param = `${field}.headers`;
  const headers = readHeaders(given ?? {}, param);
  if (authorization == null) return Object.fromEntries(headers);
  if (headers.has('authorization')) {
    const message = `'${field}.authorization' and an authorization in '${param}' exclude each other.`;
    throw invalidRequest(message, `${field}.authorization`);
  }
  readHeaders({ authorization }, `${field}.authorization`);
  return { ...Object.fromEntries(headers), authorization: `Bearer ${authorization}` };
}

/** The error does not repeat the values: they may be secrets. */
function readHeaders(given: Record<string, unknown>, param: string): Headers {
  try {
    return new Headers(
      Object.entries(given).map(([name, value]): [string, string] => [name, String(value)]),
    );
  } catch {
    throw invalidRequest(`'${param}' cannot be sent as HTTP headers.`, param);
  }
}

function allows(allowed: McpServerTool['allowed_tools']): AskedServer['isAllowed'] {
  if (allowed == null) return () => true;
  return matching(Array.isArray(allowed) ? { tool_names: allowed } : allowed);
}

/** Whether a tool needs approval: unless the request says otherwise, it does. */
function asksFor(approval: McpServerTool['require_approval']): AskedServer['needsApproval'] {
  if (approval === 'never') return () => false;
  if (approval == null || approval === 'always') return () => true;
  const { always, never } = approval;
  const mayRun = never == null ? () => false : matching(never);
  const mustAsk = always == null ? () => false : matching(always);
  return (tool) => mustAsk(tool) || !mayRun(tool);
}

/** An empty filter matches nothing: it may be a slip, and would allow everything. */
function matching({ tool_names, read_only }: ToolFilter): (tool: McpTool) => boolean {
  if (tool_names == null && read_only == null) return () => false;
  return ({ name, annotations }) =>
    (tool_names == null || tool_names.includes(name)) &&
    (read_only == null || read_only === (annotations?.['readOnlyHint'] === true));
}
