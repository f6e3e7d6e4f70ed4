/** `api.js`: what a page imports when it needs it. */
export * from '../sw/page-api.ts';
export { intercepting } from './page/worker/interception.ts';
export { reloadToIsolate } from './page/worker/isolation.ts';
export { pageParts } from './page/api/page-parts.ts';
export { regainControl } from './page/worker/regain-control.ts';
export { announceUpdates } from './page/worker/updates.ts';
export { forwarding } from './page/worker/upstreams.ts';
export { standBy } from './page/leader/standby.ts';
