export { start } from './page/start.ts';
export { StartError } from './page/api.ts';
export type { CatalogModel, KeyInfo, Keys, Models, Slashv1, StartOptions } from './page/api.ts';
export type { Progress, ProgressStage } from './core/engine.ts';
