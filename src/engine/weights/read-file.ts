import { serverError } from '../../core/protocol/errors.ts';

/** Gives a model's file by its path; undefined if the model has no file of that name. */
export type ReadFile = (path: string) => Promise<Blob | undefined>;

/** @throws ApiError 500 when the model has no such file */
export async function readJson(read: ReadFile, path: string): Promise<unknown> {
  const file = await read(path);
  if (!file) throw serverError('engine_error', `The model has no file ${path}.`);
  return JSON.parse(await file.text()) as unknown;
}
