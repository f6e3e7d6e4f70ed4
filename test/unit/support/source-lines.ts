import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');
const SOURCES = '{src,sw,scripts,bench,models,test,examples,docs/.vitepress}/**/*.{ts,tsx,mjs}';
const LEFT_OUT = /(^|\/)(node_modules|built|dist|generated|\.cache|cache)\//;

interface Source {
  /** Relative to the repository. */
  path: string;
  /** Without the spaces at their ends. */
  lines: string[];
}

/** The code of the repository, without what commands make. */
export function sources(): Source[] {
  const paths = globSync(SOURCES, { cwd: ROOT }).filter((path) => !LEFT_OUT.test(path));
  return paths.map((path) => {
    const lines = readFileSync(join(ROOT, path), 'utf8').split('\n');
    return { path, lines: lines.map((line) => line.trim()) };
  });
}
