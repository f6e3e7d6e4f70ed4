import type { GpuKind } from '../../../../src/core/realms/device-report.ts';
import type { FoundModel } from '../../../../src/core/operations/events/found-model.ts';
import type { CatalogEntry } from '../../../../src/core/catalog/catalog-entry.ts';

/** What the scripted engine of a site knows at its start, as JSON. */
export interface Scenario {
  /** What the catalog holds at the first visit. */
  catalog: CatalogEntry[];
  gpu: GpuKind;
  /** Whether the GPU computes in 16 bits. */
  hasF16: boolean;
  /** What the hub's search finds. */
  hub: FoundModel[];
  /** Id of a model → facts that the hub tells about it on request. */
  learnt: Record<string, { license: string; bytes: number }>;
  /** `pictureKey` of a picture's file → how a model that sees describes it. */
  pictures: Record<string, string>;
  /** Id of a model → its downloads wait when they have this many bytes, until a test lets them go on. */
  held: Record<string, number>;
  /** Tokens that each model writes in a second, when it is measured. */
  speed: number;
  /** Text that is heard in each recording; empty: silence. */
  heard: string;
  /** Whether the list of models waits until a test opens its gate. */
  isListHeld: boolean;
  /** Bytes of prompts that are kept on disk. */
  keptBytes: number;
}
