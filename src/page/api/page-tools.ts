import { messageOf } from '../../core/text/message-of.ts';
import { uniqueName } from '../../core/text/unique-name.ts';
import type { ChatTool, PageTools } from './page-tools-api.ts';

/** A tool as WebMCP lists it. Chromium gives the schema of its arguments as JSON, the draft as an object. */
interface RegisteredTool {
  name: string;
  description: string;
  inputSchema?: string | Record<string, unknown>;
}

/** The part of WebMCP that agents in the page use. */
interface ModelContext {
  getTools(): Promise<RegisteredTool[]>;
  executeTool(tool: RegisteredTool, input: unknown, options?: object): Promise<unknown>;
}

const NO_PARAMETERS = { type: 'object', properties: {} };

/** The tools of this page, if its browser has WebMCP. */
export async function pageTools(): Promise<PageTools> {
  const context = modelContext();
  const registered = (await context?.getTools()) ?? [];
  const taken = new Set<string>();
  const named = new Map(registered.map((tool) => [uniqueName(tool.name, taken), tool]));
  return {
    tools: [...named].map(([name, tool]) => chatTool(name, tool)),
    run: async ({ id, function: { name, arguments: json } }, { signal } = {}) => {
      const tool = named.get(name);
      if (!context || !tool) throw new TypeError(`The page has no tool '${name}'.`);
      const input = argumentsOf(json, name);
      const content = await execute(context, tool, input, signal).catch((error: unknown) => {
        signal?.throwIfAborted();
        return `The tool failed: ${messageOf(error)}`;
      });
      return { role: 'tool', tool_call_id: id, content };
    },
  };
}

/** Chromium had it in `navigator` at first. */
function modelContext(): ModelContext | undefined {
  const found: unknown[] = [document, navigator].map((place): unknown =>
    Reflect.get(place, 'modelContext'),
  );
  return found.find(isForAgents);
}

function isForAgents(context: unknown): context is ModelContext {
  return (
    typeof context === 'object' &&
    context !== null &&
    'getTools' in context &&
    'executeTool' in context
  );
}

function chatTool(name: string, { description, inputSchema }: RegisteredTool): ChatTool {
  const schema: unknown = typeof inputSchema === 'string' ? parsed(inputSchema) : inputSchema;
  const parameters = isObject(schema) ? schema : NO_PARAMETERS;
  return { type: 'function', function: { name, description, parameters } };
}

async function execute(
  context: ModelContext,
  tool: RegisteredTool,
  input: Record<string, unknown>,
  signal: AbortSignal | undefined,
): Promise<string> {
  const takesJson = typeof tool.inputSchema === 'string';
  const given = takesJson ? JSON.stringify(input) : input;
  const result = await context.executeTool(tool, given, signal && { signal });
  return typeof result === 'string' ? result : JSON.stringify(result ?? null);
}

function argumentsOf(json: string, name: string): Record<string, unknown> {
  const input = json.trim() === '' ? {} : parsed(json);
  if (isObject(input)) return input;
  throw new TypeError(`The arguments for '${name}' are not the JSON of an object.`);
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
