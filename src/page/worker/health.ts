import { HEALTH_HEADER, HEALTH_PATH, VERSION_HEADER } from '../../core/realms/messages.ts';

/** A service worker as its answer describes it. */
export interface ReachedWorker {
  protocol: string;
  /** Null before 0.2. */
  version: string | null;
}

/** The service worker that answers this page's requests below the base; null: none does. */
export async function reachedWorker(base: URL | string): Promise<ReachedWorker | null> {
  try {
    const { headers } = await fetch(new URL(HEALTH_PATH, base), { cache: 'no-store' });
    const protocol = headers.get(HEALTH_HEADER);
    return protocol === null ? null : { protocol, version: headers.get(VERSION_HEADER) };
  } catch {
    return null;
  }
}
