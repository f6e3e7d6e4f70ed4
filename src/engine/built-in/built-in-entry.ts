import { BUILT_IN_MODEL, type BuiltInFacts } from '../../core/realms/built-in.ts';
import type { CatalogEntry } from '../../core/catalog/catalog-entry.ts';
import type { BuiltInVariant } from '../../core/catalog/variant.ts';

/** The browser keeps the files itself. */
const INSTALLED = { revision: '', files: [] };

/**
 * The catalog entry of the browser's model; undefined: this device cannot run it.
 *
 * @param known - the entry so far: it may have the context length, which only a session tells
 */
export function builtInEntry(
  { availability, sampling, contextLength }: BuiltInFacts,
  known: CatalogEntry | undefined,
): CatalogEntry | undefined {
  if (availability === 'unavailable') return undefined;
  const variant: BuiltInVariant = {
    id: 'builtin',
    engine: 'builtin',
    quantization: 'unknown',
    needs: { memoryBytes: 0 },
    source: { kind: 'browser' },
    ...(sampling && { sampling }),
    ...(availability === 'available' && { installed: INSTALLED }),
  };
  return {
    id: BUILT_IN_MODEL,
    task: 'chat',
    ownedBy: 'browser',
    created: 0,
    variants: [variant],
    contextLength: contextLength ?? known?.contextLength ?? 0,
  };
}
