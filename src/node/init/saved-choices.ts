import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { replaceFile } from '../replace-file.ts';
import type { SiteChoices } from './options.ts';

const choicesSchema = v.strictObject({
  folder: v.string(),
  packs: v.array(v.string()),
  speech: v.boolean(),
  embeddings: v.optional(v.boolean(), false),
  webllm: v.boolean(),
  llamacpp: v.boolean(),
  llamacppGpu: v.optional(v.boolean(), true),
  pdf: v.optional(v.boolean(), false),
  sw: v.optional(v.boolean(), true),
});

const packageSchema = v.looseObject({ slashv1: v.optional(v.unknown()) });

/** The choices in `slashv1` of the project's package.json; undefined: none are saved. */
export function savedChoices(project: string): SiteChoices | undefined {
  const path = join(project, 'package.json');
  if (!existsSync(path)) return undefined;
  const { slashv1 } = v.parse(packageSchema, parsed(path));
  if (slashv1 === undefined) return undefined;
  const choices = v.safeParse(choicesSchema, slashv1);
  if (choices.success) return choices.output;
  const [issue] = choices.issues;
  const where = ['slashv1', v.getDotPath(issue)].filter(Boolean).join('.');
  throw new Error(`${path}: ${where}: ${issue.message}`);
}

/** Saves the choices in package.json. Keeps the rest of the file and its indentation. */
export function saveChoices(project: string, slashv1: SiteChoices): void {
  const path = join(project, 'package.json');
  if (!existsSync(path)) throw new Error(`--save needs a package.json in ${project}.`);
  const text = readFileSync(path, 'utf8');
  const indentation = /^[ \t]+/m.exec(text)?.[0] ?? '  ';
  const content = { ...v.parse(packageSchema, parsed(path)), slashv1 };
  replaceFile(path, `${JSON.stringify(content, null, indentation)}\n`);
}

function parsed(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new Error(`${path} is not valid JSON.`, { cause: error });
  }
}
