import { objectGrammar } from '../../core/grammar/compile.ts';
import { invalidSchema } from '../../core/grammar/schema-error.ts';
import { ApiError, jobFault } from '../../core/protocol/errors.ts';
import type { JobPart } from '../../core/protocol/job-fault.ts';
import type { AnswerFormat, GenerateJob, Tool } from '../../core/protocol/jobs.ts';
import { compiledKeywords, compiledSchema } from './compiled-schemas.ts';

/** Characters of all tools' grammars together: the engine would compile larger ones for too long. */
const MAX_GRAMMARS = 400_000;
const CODE = 'invalid_json_schema';

/**
 * Checks the JSON Schemas of a job. It needs no model, so it comes before anything that takes time.
 *
 * @throws ApiError 400 invalid_json_schema if one is wrong or cannot be enforced
 */
export function checkSchemas({ format, tools }: Pick<GenerateJob, 'format' | 'tools'>): void {
  formatGrammar(format);
  const grammars = (tools?.tools ?? []).map((tool, index) => argumentsGrammar(tool, index));
  const size = grammars.reduce((sum, { length }) => sum + length, 0);
  if (size > MAX_GRAMMARS) throw jobFault('tools', 'are too large together.', { code: CODE });
}

/** The EBNF of an answer's text; undefined: free text. @throws as checkSchemas */
export function formatGrammar(format: AnswerFormat | undefined): string | undefined {
  switch (format?.type) {
    case 'json_schema':
      return inPart('schema', '', () => compiledSchema(format.schema));
    case 'json_object':
      return objectGrammar();
    case undefined:
      return undefined;
  }
}

/** The EBNF of a tool's arguments as JSON. @throws as checkSchemas */
export function argumentsGrammar({ parameters }: Tool, index: number): string {
  return inPart('tools', `[${index}].parameters`, () => compiledSchema(objectSchema(parameters)));
}

/** The EBNF of a tool's arguments as the keyword arguments of a call. @throws as checkSchemas */
export function keywordArgumentsGrammar({ parameters }: Tool, index: number): string {
  return inPart('tools', `[${index}].parameters`, () => compiledKeywords(objectSchema(parameters)));
}

/** Arguments are an object, even if the schema leaves that out or allows other types as well. */
function objectSchema(parameters: Tool['parameters']): Tool['parameters'] {
  const types = [parameters['type'] ?? 'object'].flat();
  if (types.includes('object')) return { ...parameters, type: 'object' };
  throw invalidSchema('.type', "must be 'object': arguments have names.");
}

/** The compiler knows only the path inside the schema; `path` is that of the schema in the part. */
function inPart(part: JobPart, path: string, compile: () => string): string {
  try {
    return compile();
  } catch (error) {
    if (!(error instanceof ApiError) || error.data.code !== CODE) throw error;
    const below = error.data.param ?? '';
    const text = error.data.message.slice(`'${below}' `.length);
    throw jobFault(part, text, { path: path + below, code: CODE });
  }
}
