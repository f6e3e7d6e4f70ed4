import { deliveryOf } from '../src/core/protocol/delivered-answer.ts';
import { EngineConnection } from '../src/core/protocol/engine-connection.ts';
import type { ApiOperation } from '../src/core/protocol/jobs.ts';
import type { ApiPage } from '../src/core/protocol/page-api.ts';
import { likeFetch } from './http/like-fetch.ts';
import { siteApp } from './site-app.ts';

export { answerTab, requestPortOfTabs } from '../src/core/protocol/tab-channel.ts';
export { speechUrl } from './speech/speech-url.ts';
export { VERSION } from '../src/core/version.ts';

/** As in PageApi. */
export function apiFetch({
  base,
  requestPort,
  stopping,
}: ApiPage): (request: Request) => Promise<Response> {
  const engine = new EngineConnection<ApiOperation>(requestPort, deliveryOf, stopping);
  return likeFetch(siteApp(new URL(base).pathname, engine, true));
}
