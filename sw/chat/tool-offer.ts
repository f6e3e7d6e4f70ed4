import { invalidRequest, unsupportedValue } from '../../src/core/protocol/errors.ts';
import type { Tool, ToolOffer } from '../../src/core/protocol/jobs.ts';
import { invalidSchema } from '../../src/core/grammar/schema-error.ts';
import { compiledSchema } from './compiled-schemas.ts';
import type { ChatRequest } from '../request-schema.ts';

type RequestedTool = NonNullable<ChatRequest['tools']>[number];

/** As many as OpenAI's API takes. */
const MAX_TOOLS = 128;
/** Characters of all grammars together: more would take the engine too long to compile. */
const MAX_GRAMMARS = 400_000;

/** What a function without parameters takes. */
const NO_PARAMETERS = { type: 'object', properties: {} };

/**
 * The tools that a request offers; undefined when it offers none.
 *
 * @throws ApiError 400 for a name that is there twice, a choice that cannot be made, and for JSON Schemas
 *   that are wrong or cannot be enforced
 */
export function toolOffer(request: ChatRequest): ToolOffer | undefined {
  const requested = request.tools ?? [];
  const choice = toolChoice(request.tool_choice, requested);
  if (requested.length === 0) return undefined;
  if (requested.length > MAX_TOOLS) {
    throw invalidRequest(`'tools' must hold at most ${MAX_TOOLS} tools.`, 'tools');
  }
  requested.forEach((tool, index) => checkTool(tool, index, requested));
  const tools = requested.map((tool, index) => compiledTool(tool, `tools[${index}].function`));
  const size = tools.reduce((sum, { grammar }) => sum + grammar.length, 0);
  if (size > MAX_GRAMMARS) throw invalidSchema('tools', 'are too large together.');
  return { tools, choice, parallel: request.parallel_tool_calls ?? true };
}

function toolChoice(
  choice: ChatRequest['tool_choice'],
  tools: readonly RequestedTool[],
): ToolOffer['choice'] {
  if (choice == null || choice === 'auto' || choice === 'none') return choice ?? 'auto';
  if (tools.length === 0) {
    throw invalidRequest("'tool_choice' needs 'tools' to choose from.", 'tool_choice');
  }
  if (choice === 'required') return choice;
  const param = 'tool_choice.function.name';
  if (choice.type !== 'function') {
    const at = 'tool_choice.type';
    throw unsupportedValue(`A tool_choice of type '${choice.type}' is not supported.`, at);
  }
  const name = choice.function?.name;
  if (name === undefined) throw invalidRequest(`'${param}' is required.`, param);
  if (tools.some((tool) => tool.function?.name === name)) return { name };
  throw invalidRequest(`'${param}' is '${name}', which is not among 'tools'.`, param);
}

function checkTool(tool: RequestedTool, index: number, all: readonly RequestedTool[]): void {
  const at = `tools[${index}]`;
  if (tool.type != null && tool.type !== 'function') {
    throw unsupportedValue(`A tool of type '${tool.type}' is not supported.`, `${at}.type`);
  }
  if (!tool.function) throw invalidRequest(`'${at}.function' is required.`, `${at}.function`);
  const name = tool.function.name;
  if (all.findIndex((other) => other.function?.name === name) === index) return;
  const param = `${at}.function.name`;
  throw invalidRequest(`'${param}' is '${name}', as another tool's is.`, param);
}

function compiledTool({ function: definition }: RequestedTool, path: string): Tool {
  const { name = '', description, parameters } = definition ?? {};
  const schema = objectSchema(parameters ?? {}, `${path}.parameters`);
  return {
    name,
    ...(description != null && { description }),
    parameters: schema,
    grammar: compiledSchema({ ...schema, type: 'object' }, `${path}.parameters`),
  };
}

/** Arguments are an object, whether the schema says so or leaves it out. */
function objectSchema(schema: Record<string, unknown>, path: string): Record<string, unknown> {
  if (Object.keys(schema).length === 0) return NO_PARAMETERS;
  const types = [schema['type'] ?? 'object'].flat();
  if (types.includes('object')) return schema;
  throw invalidSchema(`${path}.type`, "must be 'object': arguments have names.");
}
