import type { CatalogEntry } from './catalog-entry.ts';
import { withOpenAiVoices } from './openai-voices.ts';
import type { PackManifest, PackVariant } from './pack-manifest.ts';
import { totalBytes, variantId, type PackSource, type Variant } from './variant.ts';

/** The place of a pack: its URL, and its position in the site's list. */
export type PackPlace = Pick<PackSource, 'url' | 'position'>;

/** The catalog entry of a pack. */
export function packEntry(manifest: PackManifest, place: PackPlace): CatalogEntry {
  const { id, ownedBy, created, license, contextLength, features } = manifest;
  const facts = { id, ownedBy, created, license, contextLength, features };
  const variants = manifest.variants.map((variant) => packVariant(variant, features, place));
  switch (manifest.task) {
    case 'speech':
      return { ...facts, task: manifest.task, speech: withOpenAiVoices(manifest.speech), variants };
    case 'embedding':
      return { ...facts, task: manifest.task, embedding: manifest.embedding, variants };
    case 'transcription':
      return { ...facts, task: manifest.task, transcription: manifest.transcription, variants };
    case 'chat': {
      const { task, calibration } = manifest;
      return { ...facts, task, ...(calibration && { calibration }), variants };
    }
    case 'rerank':
      return { ...facts, task: manifest.task, variants };
  }
}

/** @param features - of the pack */
export function packVariant(
  { files, revision, ...variant }: PackVariant,
  features: string[],
  { url, position }: PackPlace,
): Variant {
  const { engine, quantization } = variant;
  return {
    ...variant,
    id: variantId(engine, quantization),
    bytes: totalBytes(files),
    source: { kind: 'pack', url, position, manifest: { revision, features, files } },
  };
}
