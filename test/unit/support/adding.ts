import type { CatalogEntry } from '../../../src/core/catalog/catalog-entry.ts';
import type { LlamaCppVariant } from '../../../src/core/catalog/variant.ts';
import { variantOf } from './entries.ts';
import type { openEngine } from './servers/engine-site.ts';
import { NEVER } from './never.ts';

type Site = Awaited<ReturnType<typeof openEngine>>;

/** Adds a model by a text; resolves with its id. */
export function add(site: Site, source: string): Promise<string> {
  return run(site, { source });
}

/** Adds a model by its files; resolves with its id when they are in the weight store. */
export function addFiles(site: Site, files: File[], signal = NEVER): Promise<string> {
  return run(site, { files }, signal);
}

async function run(
  { engine }: Pick<Site, 'engine'>,
  request: { source: string } | { files: File[] },
  signal = NEVER,
): Promise<string> {
  for await (const event of engine.run({ op: 'add', ...request }, signal)) {
    if (event.type === 'added') return event.model;
  }
  throw new Error('Nothing was added.');
}

/** The only variant of a model, which llama.cpp runs. */
export function ggufVariant(entry: CatalogEntry | undefined): LlamaCppVariant {
  const variant = variantOf(entry);
  if (variant.engine !== 'llamacpp') throw new Error('The model is not for llama.cpp.');
  return variant;
}

/** The bytes of a file in the weight store; empty if it is not there. */
export async function storedBytes(
  { weights }: Pick<Site, 'weights'>,
  model: string,
  { installed }: LlamaCppVariant,
  path: string,
): Promise<Buffer> {
  return bytesOf(await weights.get(model, installed?.revision ?? '', path));
}

export async function bytesOf(blob: Blob | undefined): Promise<Buffer> {
  return Buffer.from(blob ? await blob.arrayBuffer() : new ArrayBuffer());
}
