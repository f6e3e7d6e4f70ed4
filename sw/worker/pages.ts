import type { ToPage } from '../../src/core/realms/messages.ts';

declare const self: ServiceWorkerGlobalScope;

/** Every page of this origin, whether a service worker controls it or not. */
export async function openPages(): Promise<readonly WindowClient[]> {
  return self.clients.matchAll({ type: 'window', includeUncontrolled: true });
}

/** Posts a message to all pages. Returns how many there are. */
export async function broadcast(message: ToPage): Promise<number> {
  const all = await openPages();
  for (const page of all) page.postMessage(message);
  return all.length;
}
