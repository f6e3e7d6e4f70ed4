import { delay } from '../src/core/async/delay.ts';
import { INTERCEPTS_HEADER, type Interception } from '../src/core/realms/interception.ts';
import { isApiPath } from './api-path.ts';
import { createApp } from './app.ts';
import type { Client } from './context.ts';
import { navigationRefused } from './http/error-response.ts';
import { createInterceptor } from './interceptor.ts';
import { siteApi } from './site-api.ts';
import { EngineLink } from './worker/engine-link.ts';
import { pageHeaders } from './worker/page-headers.ts';
import { OpenAnswers } from './worker/open-answers.ts';

declare const self: ServiceWorkerGlobalScope;

/** When to look whether a page is there that has cancelled a request, milliseconds after the last look. */
const LEAVING_MS = [0, 50, 100];

/** What the API needs of the service worker that it runs in. */
export interface AnsweringWorker {
  /** Absolute URL; ends in "/". */
  scope: string;
  /** The services whose requests are answered, too. */
  interception: Interception | undefined;
  /** Asks the pages for a port to the engine host; returns how many pages there are. */
  askForPort(): Promise<number>;
  /** The first of the answers under way begins. */
  onFirst(): void;
  /** The last of them is over. */
  onLast(): void;
}

/** A request to a service worker. */
type Asked = Pick<FetchEvent, 'request' | 'clientId'>;

/** The API of a site, and of the services that it intercepts. */
export interface SiteAnswers {
  /** The answer to a request; undefined if it is for neither. */
  answer(event: Asked): Response | Promise<Response> | undefined;
  /** A leader's page has handed over a port; `lock` is the Web Lock that its host holds as long as it lives. */
  accept(port: MessagePort, lock: string): void;
  /** A leader's engine cannot start. */
  refuse(why: string): void;
  /** Whether an answer is under way. */
  readonly areOpen: boolean;
}

/** The page that a request came from. @param id - of its client */
function clientOf(id: string, open: OpenAnswers): Client {
  return {
    async hasGone() {
      for (const ms of LEAVING_MS) {
        await delay(ms, new AbortController().signal);
        if (!(await self.clients.get(id))) return true;
      }
      return false;
    },
    stay: () => open.begin(),
  };
}

/** Makes the answers of a service worker. */
export type MakeAnswers = (worker: AnsweringWorker) => SiteAnswers;

/** Everything that a service worker needs for the API, except for its own events. */
export function siteAnswers(worker: AnsweringWorker): SiteAnswers {
  const { scope, interception } = worker;
  const { origin, pathname: root } = new URL(scope);
  const link = new EngineLink(worker);
  const open = new OpenAnswers(worker);
  const site = siteApi(root, link, (upstream) => pageHeaders(scope, upstream));
  const interceptor = interception && createInterceptor(interception, new URL(scope), site);
  const healthHeaders = { [INTERCEPTS_HEADER]: interception?.bases.join(' ') ?? '' };
  const app = createApp({ ...site, healthHeaders });
  return {
    answer({ request, clientId }) {
      const url = new URL(request.url);
      const intercepting = interceptor?.(url);
      if (intercepting) return open.track(intercepting(request));
      if (url.origin !== origin || !isApiPath(url.pathname, root)) return undefined;
      // A form or window.open of another site arrives as a navigation; API clients do not navigate.
      return request.mode === 'navigate'
        ? navigationRefused()
        : open.track(app(request, clientOf(clientId, open)));
    },
    accept: (port, lock) => link.accept(port, lock),
    refuse: (why) => link.refuse(why),
    get areOpen() {
      return open.areOpen;
    },
  };
}
