/**
 * What a page imports: `start()` and its types.
 *
 * @module slashv1
 */
export { start } from './page/start.ts';
export { StartError } from './page/api.ts';
export { ApiError } from './core/protocol/errors.ts';
export type { Share, ShareOptions, Slashv1, SpeechRequest } from './page/api.ts';
export type { RouteEntryOptions, StartOptions, UpstreamOptions } from './page/start-options.ts';
export type { ApiRequest, RecordedAnswer } from './core/protocol/api-request.ts';
export type { FollowedRoute } from './core/protocol/routes.ts';
export type { Requests, WatchOptions } from './page/requests-api.ts';
export type { KeyInfo, KeyOptions, Keys } from './page/keys-api.ts';
export type { Endpoint } from './core/protocol/endpoints.ts';
export type { InstallOptions, LoadOptions, Models, SearchOptions } from './page/models-api.ts';
export type { FindableTask, FoundModel } from './core/protocol/found-model.ts';
export type { Measurement } from './core/stores/measurement.ts';
export type { Progress, ProgressStage } from './core/protocol/events.ts';
export type {
  DeviceReport,
  GpuKind,
  TextEngineName,
  ThreadReport,
} from './core/protocol/device-report.ts';
export type { CatalogModel, VariantOffer } from './core/stores/catalog-model.ts';
export type { Task } from './core/stores/catalog-entry.ts';
export type { Obstacle } from './core/stores/device-fit.ts';
