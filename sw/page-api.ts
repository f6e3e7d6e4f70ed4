import { deliveryOf } from '../src/core/operations/delivered-answer.ts';
import { EngineConnection } from '../src/core/port/engine-connection.ts';
import type { ApiOperation } from '../src/core/operations/jobs/jobs.ts';
import type { Interception } from '../src/core/realms/interception.ts';
import type { ApiPage, RequestPort } from '../src/core/realms/page-api.ts';
import { createApp } from './app.ts';
import { likeFetch } from './http/like-fetch.ts';
import { createInterceptor, type Interceptor } from './interceptor.ts';
import { siteApi } from './site-api.ts';
import { upstreamError } from './upstreams/upstream-errors.ts';
import type { HeadersOf } from './upstreams/upstream-fetch.ts';
import { sendingImages } from './worker/sending-images.ts';

export { answerTab, requestPortOfTabs } from '../src/core/port/tab-channel.ts';
export { speechUrl } from './speech/speech-url.ts';
export { VERSION } from '../src/core/version.ts';

/** See PageApi. */
export function apiFetch(page: ApiPage): (request: Request) => Promise<Response> {
  return likeFetch(createApp(apiOf(page)));
}

/** See PageApi. */
export function interceptorOf(page: ApiPage, interception: Interception): Interceptor {
  const find = createInterceptor(interception, new URL(page.base), apiOf(page));
  return (url) => {
    const answer = find(url);
    return answer && likeFetch(answer);
  };
}

function apiOf({ base, requestPort, stopping, headersOf }: ApiPage) {
  const connect: RequestPort = async (signal) => {
    const { port, lock } = await requestPort(signal);
    return { port: sendingImages(port), lock };
  };
  const engine = new EngineConnection<ApiOperation>(connect, deliveryOf, stopping);
  const own: HeadersOf = async (upstream) => {
    const headers = await headersOf?.(upstream);
    if (headers) return headers;
    throw upstreamError(upstream.name, 'upstream_unavailable');
  };
  return siteApi(new URL(base).pathname, engine, own, true);
}
