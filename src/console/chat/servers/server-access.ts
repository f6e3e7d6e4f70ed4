import { start, type Slashv1 } from '../../../index.ts';
import { siteOptions } from '../../app/site-options.ts';
import type { ApiAccess } from '../answer/api-request.ts';

let opened: { urls: string; v1: Promise<Slashv1> } | undefined;

/**
 * The API with a key that may call these servers. The page's own key may call none: which servers a key may call is set
 * when the API is started, so it is started once more for them.
 *
 * @throws StartError
 */
export async function serverAccess(servers: readonly { url: string }[]): Promise<ApiAccess> {
  const all = servers.map(({ url }) => url);
  const urls = JSON.stringify(all);
  if (opened?.urls !== urls) {
    const before = opened;
    opened = { urls, v1: start({ ...siteOptions(), mcp: { servers: all } }) };
    void before?.v1.then((v1) => v1.stop()).catch(() => undefined);
  }
  try {
    const { baseURL, apiKey } = await opened.v1;
    return { baseURL, apiKey, fetch: (input, init) => fetch(input, init) };
  } catch (error) {
    opened = undefined;
    throw error;
  }
}
