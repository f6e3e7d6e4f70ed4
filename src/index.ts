/**
 * What a page imports: `start()` and its types.
 *
 * @module slashv1
 */
export { start } from './page/start.ts';
export { StartError } from './page/api/api.ts';
export { ApiError } from './core/errors/errors.ts';
export type {
  Requests,
  Share,
  ShareOptions,
  Slashv1,
  SpeechRequest,
  WatchOptions,
} from './page/api/api.ts';
export type {
  FileOptions,
  McpOptions,
  PromptCacheOptions,
  RouteEntryOptions,
  StartOptions,
  UpstreamOptions,
} from './page/start-options.ts';
export type { ApiRequest, RecordedAnswer } from './core/realms/api-request.ts';
export type { FollowedRoute } from './core/realms/routes.ts';
export type { GivenFile } from './core/operations/jobs/managing-jobs.ts';
export type { ChatCall, ChatTool, PageTools, ToolMessage } from './page/api/page-tools-api.ts';
export type { StoredFiles } from './page/api/stored/files-api.ts';
export type { PromptCache, KeptPromptsSize } from './page/api/stored/kept-prompts-api.ts';
export type { KeyInfo, KeyOptions, Keys } from './page/api/keys/keys-api.ts';
export type { Endpoint } from './core/keys/endpoints.ts';
export type {
  InstallOptions,
  LoadOptions,
  MeasureOptions,
  Models,
  SearchOptions,
} from './page/api/models/models-api.ts';
export type { FindableTask, FoundModel } from './core/operations/events/found-model.ts';
export type { Measurement } from './core/fit/measurement.ts';
export type { Progress, ProgressStage } from './core/operations/events/events.ts';
export type {
  DeviceReport,
  GpuKind,
  TextEngineName,
  ThreadReport,
} from './core/realms/device-report.ts';
export type { CatalogModel, VariantOffer } from './core/catalog/catalog-model.ts';
export type { Task } from './core/catalog/catalog-entry.ts';
export type { Obstacle } from './core/fit/device-fit.ts';
