import type { ApiRequest } from '../../src/core/realms/api-request.ts';

/** Those who watch requests. */
export interface Watching {
  readonly isWatched: boolean;
  /** Contents are kept for now. Those who watch may not want them. */
  readonly mayWantContents: boolean;
  readonly wantsContents: boolean;
  post(request: ApiRequest): void;
}
