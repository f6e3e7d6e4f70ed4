import { ISOLATE } from '../../core/site/service-worker-files.ts';

/**
 * Reloads the page if its service worker can thereby make it cross-origin isolated. If the page is not isolated even
 * then, as a frame in a page that is not isolated, it is not reloaded again while its tab lives. Never resolves if the
 * page is being reloaded.
 */
export async function reloadToIsolate(
  { active }: ServiceWorkerRegistration,
  base: URL,
): Promise<void> {
  const reloaded = `slashv1:${ISOLATE}:${base.pathname}`;
  try {
    if (crossOriginIsolated) sessionStorage.removeItem(reloaded);
    // An older version isolates nothing. A newer one waits and will take over.
    else if (active?.scriptURL.includes(`?${ISOLATE}`) && !sessionStorage.getItem(reloaded)) {
      sessionStorage.setItem(reloaded, '1');
      location.reload();
      await new Promise(() => undefined);
    }
  } catch {
    // Without storage, nothing would end a series of reloads.
  }
}
