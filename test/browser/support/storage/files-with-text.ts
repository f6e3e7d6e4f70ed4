import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The files of a browser's profile that hold the bytes, or the text in either encoding that a browser uses. */
export function filesWithText(folder: string, text: string | Buffer): string[] {
  const isText = typeof text === 'string';
  const patterns = isText ? [Buffer.from(text), Buffer.from(text, 'utf16le')] : [text];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => {
      const bytes = readFileSync(path);
      return patterns.some((pattern) => bytes.includes(pattern));
    });
}
