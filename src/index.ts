export { start } from './page/start.ts';
export { StartError } from './page/api.ts';
export { ApiError } from './core/protocol/errors.ts';
export type {
  CatalogModel,
  InstallOptions,
  KeyInfo,
  Keys,
  Models,
  Slashv1,
  SpeechRequest,
  StartOptions,
} from './page/api.ts';
export type { Progress, ProgressStage } from './core/protocol/events.ts';
export type { Task } from './core/stores/catalog-entry.ts';
export type { Obstacle } from './core/stores/device-fit.ts';
