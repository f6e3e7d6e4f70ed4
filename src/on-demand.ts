/** `api.js`: what a page imports when it needs it. */
export * from '../sw/page-api.ts';
export { intercepting } from './page/interception.ts';
export { reloadToIsolate } from './page/isolation.ts';
export { keysOf } from './page/keys.ts';
export { regainControl } from './page/regain-control.ts';
export { forwarding } from './page/upstreams.ts';
export { moreModels } from './page/more-models.ts';
export { standBy } from './page/standby.ts';
export { watchRequests } from './page/requests.ts';
export { share } from './page/frame/share.ts';
