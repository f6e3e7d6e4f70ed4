import { HEALTH_HEADER, HEALTH_PATH } from '../core/messages.ts';

/** Whether this page's fetches below the base reach our service worker, and not a server. */
export async function reachesServiceWorker(base: URL): Promise<boolean> {
  try {
    const response = await fetch(new URL(HEALTH_PATH, base), { cache: 'no-store' });
    return response.headers.has(HEALTH_HEADER);
  } catch {
    return false;
  }
}
