import { invalidRequest } from '../../../src/core/errors/errors.ts';
import type { ToolOffer } from '../../../src/core/operations/jobs/jobs.ts';
import { isOtherType, type OtherType } from './other-type.ts';

/** The OpenAI API's own limit. */
const MAX_TOOLS = 128;

/** The parameters of a function that takes none. */
const NO_PARAMETERS = { type: 'object', properties: {} };

/** A function that a request offers. */
export interface OfferedFunction {
  name: string;
  description?: string | null | undefined;
  /** JSON Schema of its arguments. */
  parameters?: Record<string, unknown> | null | undefined;
  /**
   * `false`: objects may have members that the schema does not name. `true`: a schema that cannot be enforced as a whole
   * is refused.
   */
  strict?: boolean | null | undefined;
}

/** The tools that a request offers, and the names of its fields. */
export interface RequestedOffer {
  tools: readonly (OfferedFunction | OtherType)[];
  choice: ToolOffer['choice'];
  /** Names of the functions that may be called; undefined: all. */
  allowed?: string[] | undefined;
  parallel: boolean | null | undefined;
  /** The field with the name of the function that was chosen. */
  choiceField: string;
  /** The field with the name of the function at this index. */
  nameField: (index: number) => string;
}

/**
 * What a request offers; undefined: no functions. Tools of other types are left out. The engine checks the JSON Schemas.
 *
 * @throws ApiError 400 for a name that is used twice, and for a choice that is not possible
 */
export function toolOffer(requested: RequestedOffer): ToolOffer | undefined {
  const { choice, allowed, parallel } = requested;
  const functions = requested.tools.flatMap((tool) => (isOtherType(tool) ? [] : tool));
  checkChoice(requested, functions);
  if (functions.length === 0) return undefined;
  if (functions.length > MAX_TOOLS) {
    throw invalidRequest(`'tools' must hold at most ${MAX_TOOLS} tools.`, 'tools');
  }
  checkNames(requested);
  return {
    tools: functions.map(({ name, description, parameters, strict }) => ({
      name,
      ...(description != null && { description }),
      parameters: Object.keys(parameters ?? {}).length > 0 ? (parameters ?? {}) : NO_PARAMETERS,
      ...(strict != null && { strict }),
    })),
    choice: choice === 'auto' && allowed?.length === 0 ? 'none' : choice,
    ...(allowed && { allowed }),
    parallel: parallel ?? true,
  };
}

/** Where the functions stand among all tools of a request. */
export function functionPlaces(tools: readonly object[] | null | undefined): number[] {
  return (tools ?? []).flatMap((tool, index) => (isOtherType(tool) ? [] : index));
}

function checkChoice(
  { choice, allowed, choiceField }: RequestedOffer,
  functions: readonly OfferedFunction[],
): void {
  const named = typeof choice === 'object' ? [choice.name] : (allowed ?? []);
  const mustCall = choice !== 'auto' && choice !== 'none';
  if (mustCall && (functions.length === 0 || allowed?.length === 0)) {
    throw invalidRequest("'tool_choice' needs 'tools' to choose from.", 'tool_choice');
  }
  const missing = named.find((name) => !functions.some((each) => each.name === name));
  if (missing === undefined) return;
  const message = `'${choiceField}' is '${missing}', which is not among 'tools'.`;
  throw invalidRequest(message, choiceField);
}

function checkNames({ tools, nameField }: RequestedOffer): void {
  const names = tools.map((tool) => (isOtherType(tool) ? undefined : tool.name));
  const again = names.findIndex(
    (name, index) => name !== undefined && names.indexOf(name) !== index,
  );
  if (again < 0) return;
  const param = nameField(again);
  throw invalidRequest(`'${param}' is '${names[again]}', as another tool's is.`, param);
}
