import type { CatalogEntry } from '../../../../src/core/catalog/catalog-entry.ts';

/** The file that each scripted model has. */
export const FILE = 'model.bin';

/** A GGUF file that the visitor has picked. */
export function givenEntry({ name, size }: File): CatalogEntry {
  const files = [{ path: FILE, size, sha256: '' }];
  return ggufEntry(`local/${name.replace('.gguf', '')}`, size, {
    kind: 'local',
    name,
    revision: '1',
    files,
  });
}

/** A GGUF repository of the hub. */
export function foundEntry(repository: string): CatalogEntry {
  return ggufEntry(repository, 3_300_000, { kind: 'hub', repository, paths: [FILE] });
}

type GgufSource = Extract<CatalogEntry['variants'][number], { engine: 'llamacpp' }>['source'];

function ggufEntry(id: string, bytes: number, source: GgufSource): CatalogEntry {
  return {
    id,
    task: 'chat',
    ownedBy: 'someone',
    created: 0,
    contextLength: 2048,
    added: true,
    license: 'apache-2.0',
    variants: [
      {
        id: 'llamacpp-F32',
        engine: 'llamacpp',
        quantization: 'F32',
        needs: {},
        bytes,
        source,
        parts: [FILE],
      },
    ],
  };
}
