import * as v from 'valibot';

/** A file of the model, parsed from JSON; undefined: the model has no such file. */
export type ReadConfig = (path: string) => Promise<unknown>;

/** Why the files of a model cannot be used. The message is the end of a sentence about the model. */
export class ConfigFault extends Error {}

export const MODEL_CONFIG = 'config.json';
export const GENERATION_CONFIG = 'generation_config.json';
export const TOKENIZER_CONFIG = 'tokenizer_config.json';
/** The files that every model of transformers.js has, in addition to its graph. */
export const MODEL_FILES = [MODEL_CONFIG, 'tokenizer.json', TOKENIZER_CONFIG];

/** @throws ConfigFault if the model has no such file, or it does not fit the schema */
export async function parsed<S extends v.GenericSchema>(
  schema: S,
  path: string,
  read: ReadConfig,
): Promise<v.InferOutput<S>> {
  const content = await optional(schema, path, read);
  if (content === undefined) throw new ConfigFault(`it has no ${path}`);
  return content;
}

/** Returns undefined if the model has no such file. @throws ConfigFault if it does not fit the schema */
export async function optional<S extends v.GenericSchema>(
  schema: S,
  path: string,
  read: ReadConfig,
): Promise<v.InferOutput<S> | undefined> {
  const content = await read(path);
  if (content === undefined) return undefined;
  const result = v.safeParse(schema, content);
  if (result.success) return result.output;
  const [issue] = result.issues;
  throw new ConfigFault(
    `its ${path} cannot be used: ${v.getDotPath(issue) ?? ''} ${issue.message}`,
  );
}
