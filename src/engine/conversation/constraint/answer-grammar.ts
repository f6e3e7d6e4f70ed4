import { objectGrammar, type GrammarOptions } from '../../../core/grammar/compile.ts';
import type { Notation } from '../../../core/grammar/values/objects/notation.ts';
import { SchemaError } from '../../../core/grammar/schema/schema-error.ts';
import { choiceGrammar, patternGrammar } from '../../../core/grammar/text-grammar.ts';
import { jobFault } from '../../../core/errors/errors.ts';
import type { JobPart } from '../../../core/errors/job-fault.ts';
import type { AnswerFormat, GenerateJob, Tool } from '../../../core/operations/jobs/jobs.ts';
import { compiledMembers, compiledSchema } from './compiled-schemas.ts';

/** Most characters of all tools' grammars together: larger ones take too long to compile. */
const MAX_GRAMMARS = 400_000;
const CODE = 'invalid_json_schema';

/**
 * Checks the JSON Schemas of a job. This needs no model, so it is done before anything that takes time.
 *
 * @throws ApiError 400 invalid_json_schema if one is wrong or cannot be enforced
 */
export function checkSchemas({ format, tools }: Pick<GenerateJob, 'format' | 'tools'>): void {
  formatGrammar(format);
  // Without a choice, the model is not told about the tools.
  const told = tools && tools.choice !== 'none' ? tools.tools : [];
  const grammars = told.map((tool, index) => argumentsGrammar(tool, index));
  const size = grammars.reduce((sum, { length }) => sum + length, 0);
  if (size > MAX_GRAMMARS) throw jobFault('tools', 'are too large together.', { code: CODE });
}

/** The EBNF of an answer's text; undefined: free text. @throws as checkSchemas */
export function formatGrammar(format: AnswerFormat | undefined): string | undefined {
  switch (format?.type) {
    case 'json_schema':
      return inPart('schema', '', () => compiledSchema(format.schema, format));
    case 'json_object':
      return objectGrammar();
    case 'pattern':
      return inPart('format', '', () => patternGrammar(format.pattern));
    case 'choice':
      return inPart('format', '', () => choiceGrammar(format.texts));
    case undefined:
      return undefined;
  }
}

/**
 * The EBNF of a tool's arguments.
 *
 * @param notation - how they are written; undefined: as JSON
 * @throws as checkSchemas
 */
export function argumentsGrammar(tool: Tool, index: number, notation?: Notation): string {
  return inPart('tools', `[${index}].parameters`, () => {
    const schema = objectSchema(tool);
    return notation
      ? compiledMembers(schema, notation, optionsOf(tool))
      : compiledSchema(schema, optionsOf(tool));
  });
}

/** Callers that insist on their schema say `strict: true`. */
function optionsOf({ strict }: Tool): GrammarOptions {
  return { strict, lenient: strict !== true };
}

/** Arguments are an object, even if the schema leaves that out or allows other types as well. */
function objectSchema({ parameters }: Tool): Tool['parameters'] {
  const types = [parameters['type'] ?? 'object'].flat();
  if (types.includes('object')) return { ...parameters, type: 'object' };
  throw new SchemaError('.type', "must be 'object': arguments have names.");
}

/** Turns a SchemaError into a fault of the job: prefixes its path inside the schema with `path`, that of the schema. */
function inPart(part: JobPart, path: string, compile: () => string): string {
  try {
    return compile();
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    throw jobFault(part, error.text, { path: path + error.path, code: CODE });
  }
}
