/** A server of the Model Context Protocol, and the headers of every request to it. */
export interface McpServer {
  url: string;
  headers: Record<string, string>;
}

/** Asks a server for its tools, or runs one of them. */
export interface McpRequest {
  server: McpServer;
  /** Undefined: the server is asked for its tools. */
  call?: { name: string; /** JSON of an object. */ arguments: string };
}

/** A tool of a server, as the Responses API lists it. */
export interface McpTool {
  name: string;
  description?: string;
  /** JSON Schema of its arguments. */
  input_schema: Record<string, unknown>;
  annotations?: Record<string, unknown>;
}

/** Why a server did not do what it was asked for, as the Responses API says it. */
export type McpFault =
  | { type: 'mcp_protocol_error' | 'http_error'; code: number; message: string }
  | { type: 'mcp_tool_execution_error'; content: { type: 'text'; text: string }[] };

/** What came of it. Without any of these fields: the call begins, and must not be repeated by another engine. */
export interface McpEvent {
  type: 'mcp';
  tools?: McpTool[];
  /** What a tool gave back, as text. */
  output?: string;
  fault?: McpFault;
}
