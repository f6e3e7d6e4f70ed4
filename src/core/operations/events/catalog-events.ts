import type { CatalogModel, Measurement } from '../../catalog/catalog-model.ts';
import type { DeviceReport } from '../../realms/device-report.ts';
import type { FoundModel } from './found-model.ts';

/** The catalog holds this model, whether or not it did before. */
export interface AddedEvent {
  type: 'added';
  model: string;
}

/** Models of the catalog; if they are all, the site's own first. */
export interface ListedEvent {
  type: 'listed';
  models: CatalogModel[];
  /** The device as it is now; undefined: the list is of one model, or of an older build. */
  device?: DeviceReport;
}

/** Models on the hub, the most downloaded first. */
export interface FoundEvent {
  type: 'found';
  models: FoundModel[];
}

/** How fast a model is. */
export interface MeasuredEvent {
  type: 'measured';
  measurement: Measurement;
}

export interface DeviceEvent {
  type: 'device';
  device: DeviceReport;
}
