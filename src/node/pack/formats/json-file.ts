import { readFileSync } from 'node:fs';

import * as v from 'valibot';

import { PackError, systemErrorCode } from '../pack-error.ts';

/** @throws PackError if the file is missing, is not JSON, or does not match the schema */
export function readJsonFile<T>(path: string, schema: v.GenericSchema<unknown, T>): T {
  return parseJson(readTextFile(path), schema, path);
}

/** @throws PackError if the file is missing */
export function readTextFile(path: string): string {
  return readBytes(path).toString();
}

/** @throws PackError if the file is missing */
export function readBytes(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') throw new PackError(`There is no file ${path}.`);
    throw error;
  }
}

/**
 * @param name - name of the text, for the error message
 * @throws PackError if the text is not JSON or does not match the schema
 */
export function parseJson<T>(text: string, schema: v.GenericSchema<unknown, T>, name: string): T {
  const result = v.safeParse(schema, parse(text, name));
  if (result.success) return result.output;
  const [issue] = result.issues;
  throw new PackError(`${name}: ${v.getDotPath(issue) ?? 'content'}: ${issue.message}.`);
}

function parse(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new PackError(`${name} is not valid JSON.`, { cause: error });
  }
}
