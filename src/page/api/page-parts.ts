import type { Engine } from '../../core/port/engine.ts';
import type { ApiPage, PageApi } from '../../core/realms/page-api.ts';
import type { SmallDatabase } from '../../core/database/small-database.ts';
import type { SessionKeys } from '../../core/keys/session-keys.ts';
import type { Slashv1 } from './api.ts';
import { share } from '../frame/share.ts';
import { keysOf } from './keys/keys.ts';
import type { KeyRights } from '../worker/upstreams.ts';
import { promptCache } from './stored/kept-prompts.ts';
import { pageTools } from './page-tools.ts';
import { moreModels, type MoreModels } from './models/more-models.ts';
import { watchRequests } from './requests.ts';
import { endFiles, storedFiles } from './stored/stored-files.ts';

/** What these parts need of the page that has started. */
export interface StartedPage {
  engine: Engine;
  apiPage: ApiPage;
  apiKey: string;
  hasServiceWorker: boolean;
  /** Opens the database. */
  open: () => Promise<SmallDatabase>;
  keys: SessionKeys;
  /** Where requests with new keys may be forwarded. */
  rights: KeyRights | undefined;
}

/** The parts of a page's API that few pages use. */
export interface PageParts extends Pick<
  Slashv1,
  'files' | 'keys' | 'pageTools' | 'promptCache' | 'requests' | 'share' | 'speechUrl'
> {
  models: MoreModels;
}

/** @param api - answers requests, and signs URLs */
export function pageParts(
  api: Pick<PageApi, 'apiFetch' | 'speechUrl'>,
  { engine, apiPage, apiKey, hasServiceWorker, open, keys, rights }: StartedPage,
): PageParts {
  const { base, stopping } = apiPage;
  const prompts = promptCache(engine);
  return {
    models: moreModels(engine, open),
    files: storedFiles(engine),
    promptCache: prompts,
    keys: keysOf(open, rights, async (key) => {
      void prompts.sweep().catch(() => undefined);
      if (rights?.files) await endFiles(engine, key);
    }),
    pageTools,
    requests: {
      watch: async (...given) => watchRequests(new URL(base).pathname, stopping, ...given),
    },
    share: async (frame, origin, options) => {
      const baseURL = new URL('v1', base).href;
      const page = { baseURL, keys, answer: api.apiFetch(apiPage), stopping };
      return share(page, frame, origin, options);
    },
    speechUrl: async (request) => api.speechUrl({ base, key: apiKey, hasServiceWorker }, request),
  };
}
