/**
 * Checks requests before they are sent, by the code that answers them.
 *
 * @module slashv1/check-request
 */
export { checkRequest } from './check-request.ts';
export type { Finding } from './finding.ts';
