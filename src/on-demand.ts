/** `api.js`: what a page imports when it needs it. */
export * from '../sw/page-api.ts';
export { intercepting } from './page/interception.ts';
export { reloadToIsolate } from './page/isolation.ts';
export { pageParts } from './page/page-parts.ts';
export { regainControl } from './page/regain-control.ts';
export { announceUpdates } from './page/updates.ts';
export { forwarding } from './page/upstreams.ts';
export { standBy } from './page/standby.ts';
