import { HEALTH_HEADER, HEALTH_PATH } from '../core/protocol/messages.ts';

/** The protocol of the service worker that this page's fetches below the base reach; null: they reach none. */
export async function reachedProtocol(base: URL): Promise<string | null> {
  try {
    const response = await fetch(new URL(HEALTH_PATH, base), { cache: 'no-store' });
    return response.headers.get(HEALTH_HEADER);
  } catch {
    return null;
  }
}
