import type { CatalogEntry, Task } from './catalog-entry.ts';
import type { Variant } from './variant.ts';

/** Lists all members of a type: if it gains one, this does not compile until the list has it, too. */
type Names<T extends string> = Record<T, true>;

const TASKS = setOf({
  chat: true,
  speech: true,
  embedding: true,
  rerank: true,
  transcription: true,
} satisfies Names<Task>);
const ENGINES = setOf({
  webllm: true,
  llamacpp: true,
  onnx: true,
  builtin: true,
} satisfies Names<Variant['engine']>);
const SOURCES = setOf({
  pack: true,
  hub: true,
  url: true,
  local: true,
  browser: true,
} satisfies Names<Variant['source']['kind']>);

/**
 * A catalog entry from the database, without variants of engines that this build does not have: a newer
 * build may have stored it. Written by hand, because the page library has no room for valibot.
 *
 * @returns undefined if the entry cannot be used: an unknown task, no known variant, missing fields
 */
export function readEntry(stored: unknown): CatalogEntry | undefined {
  if (!isEntry(stored)) return undefined;
  const { update: offered, ...entry } = stored;
  const variants = entry.variants.filter(isVariant);
  const update = readEntry(offered);
  return variants.length > 0 ? { ...entry, variants, ...(update && { update }) } : undefined;
}

/** Whether a newer build stored this: it has a task or an engine that this build does not know. */
export function isOfNewerBuild(stored: unknown): boolean {
  if (!isRecord(stored) || !Array.isArray(stored['variants'])) return false;
  if (isOfNewerBuild(stored['update'])) return true;
  const engines = stored['variants'].map((variant: unknown) =>
    isRecord(variant) ? variant['engine'] : undefined,
  );
  return isUnknown(stored['task'], TASKS) || engines.some((name) => isUnknown(name, ENGINES));
}

function isUnknown(name: unknown, known: ReadonlySet<unknown>): boolean {
  return typeof name === 'string' && !known.has(name);
}

function isEntry(stored: unknown): stored is CatalogEntry {
  if (!isRecord(stored) || !TASKS.has(stored['task'])) return false;
  const { id, contextLength, variants, task, speech, embedding, transcription } = stored;
  const isComplete = typeof id === 'string' && typeof contextLength === 'number';
  const hasVoices = isRecord(speech) && Array.isArray(speech['voices']);
  const details: Record<string, boolean> = {
    speech: hasVoices,
    embedding: isRecord(embedding),
    transcription: isRecord(transcription),
  };
  const hasDetails = details[String(task)] ?? true;
  return isComplete && Array.isArray(variants) && hasDetails;
}

function isVariant(stored: unknown): stored is Variant {
  if (!isRecord(stored) || !ENGINES.has(stored['engine'])) return false;
  const { id, quantization, needs, source } = stored;
  const isComplete = typeof id === 'string' && typeof quantization === 'string' && isRecord(needs);
  return isComplete && isRecord(source) && SOURCES.has(source['kind']);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function setOf(members: object): ReadonlySet<unknown> {
  return new Set(Object.keys(members));
}
