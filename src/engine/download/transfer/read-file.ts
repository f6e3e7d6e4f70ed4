import * as v from 'valibot';
import { ModelFileError } from '../hub/model-file-error.ts';

/** Gives a model's file by its path; undefined if the model has no file of that name. */
export type ReadFile = (path: string) => Promise<Blob | undefined>;

/** @throws ModelFileError if the model has no such file, or if the file is not JSON */
export async function readJson(read: ReadFile, path: string): Promise<unknown> {
  const file = await read(path);
  if (!file) throw new ModelFileError(path, 'is missing');
  const text = await file.text();
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new ModelFileError(path, 'is not valid JSON', { cause: error });
  }
}

/**
 * Parses the content of a model's file.
 *
 * @param path - of the file, for the error
 * @throws ModelFileError if the content does not match the schema
 */
export function parseFile<S extends v.GenericSchema>(
  schema: S,
  content: unknown,
  path: string,
): v.InferOutput<S> {
  const result = v.safeParse(schema, content);
  if (result.success) return result.output;
  const [issue] = result.issues;
  const field = v.getDotPath(issue) ?? 'content';
  throw new ModelFileError(path, `cannot be used: ${field}: ${issue.message}`);
}
