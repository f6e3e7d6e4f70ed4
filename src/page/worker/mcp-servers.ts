/** The URLs of the MCP servers that pages with these options may call. @throws TypeError */
export function readServers(mcp: unknown): string[] {
  const servers = typeof mcp === 'object' && mcp !== null && 'servers' in mcp ? mcp.servers : mcp;
  if (!Array.isArray(servers)) throw new TypeError('mcp.servers must be a list of URLs.');
  return servers.map((each, at) => serverUrl(String(each), `mcp.servers[${at}]`));
}

function serverUrl(text: string, name: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol) && url.username === '')
    return url.origin + url.pathname;
  throw new TypeError(`${name} must be an absolute URL of http or https, without a user.`);
}
