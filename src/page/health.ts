import { HEALTH_HEADER, HEALTH_PATH } from '../core/protocol/messages.ts';

/** The protocol of the service worker that answers this page's requests below the base; null: none does. */
export async function reachedProtocol(base: URL): Promise<string | null> {
  try {
    const response = await fetch(new URL(HEALTH_PATH, base), { cache: 'no-store' });
    return response.headers.get(HEALTH_HEADER);
  } catch {
    return null;
  }
}
