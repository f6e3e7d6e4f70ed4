/** A part of what a tool gives back. */
export interface ContentBlock {
  type: string;
  text?: string | undefined;
  mimeType?: string | undefined;
  uri?: string | undefined;
  resource?: { uri: string; text?: string | undefined } | undefined;
}

/** What a tool gives back. */
export interface ToolResult {
  content?: readonly ContentBlock[] | undefined;
  structuredContent?: unknown;
}

/** A tool's result as text. What is no text is named, so that a model knows that it is there. */
export function resultText({ content = [], structuredContent }: ToolResult): string {
  const texts = content.map(blockText).filter((text) => text !== '');
  // Servers repeat structured content as text, unless they know that the client reads it.
  if (texts.length === 0 && structuredContent !== undefined) {
    return JSON.stringify(structuredContent);
  }
  return texts.join('\n');
}

function blockText({ type, text, mimeType, uri, resource }: ContentBlock): string {
  if (text !== undefined) return text;
  if (resource) return resource.text ?? `[resource: ${resource.uri}]`;
  return `[${[type, uri ?? mimeType].filter((each) => each !== undefined).join(': ')}]`;
}
