/** A tool, as `POST v1/chat/completions` offers it to a model. */
export interface ChatTool {
  type: 'function';
  function: { name: string; description: string; parameters: Record<string, unknown> };
}

/** The call of a tool in an answer of a chat. */
export interface ChatCall {
  id: string;
  function: { name: string; arguments: string };
}

/** The message of a chat that tells the model what a tool gave back. */
export interface ToolMessage {
  role: 'tool';
  tool_call_id: string;
  content: string;
}

/** The tools of a page. */
export interface PageTools {
  tools: ChatTool[];
  /**
   * Runs a call in the page. If the tool fails, the message says why.
   *
   * @throws TypeError if there is no such tool, or its arguments are not the JSON of an object; the signal's reason
   */
  run(call: ChatCall, options?: { signal?: AbortSignal }): Promise<ToolMessage>;
}
