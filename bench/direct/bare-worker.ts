/** A service worker that only passes requests on: what it adds to one is the browser's part. */
const bareWorker = self as unknown as ServiceWorkerGlobalScope;

bareWorker.addEventListener('activate', (event) => event.waitUntil(bareWorker.clients.claim()));
bareWorker.addEventListener('fetch', (event) => event.respondWith(fetch(event.request)));
