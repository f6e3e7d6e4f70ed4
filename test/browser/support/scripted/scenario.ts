import type { GpuKind } from '../../../../src/core/realms/device-report.ts';
import type { FoundModel } from '../../../../src/core/operations/found-model.ts';
import type { CatalogEntry } from '../../../../src/core/catalog/catalog-entry.ts';

/** What the scripted engine of a site knows from its start on, as JSON. */
export interface Scenario {
  /** What the catalog holds at the first visit. */
  catalog: CatalogEntry[];
  gpu: GpuKind;
  /** What the hub's search finds. */
  hub: FoundModel[];
  /** Id of a model → what the hub tells of it when it is asked. */
  learnt: Record<string, { license: string; bytes: number }>;
  /** `pictureKey` of a picture's file → what a model that sees says of it. */
  pictures: Record<string, string>;
  /** What is heard in each recording; empty: silence. */
  heard: string;
}
