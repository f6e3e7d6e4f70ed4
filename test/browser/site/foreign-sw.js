/* A site's service worker that has nothing of the library. */
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('fetch', (event) => {
  if (event.request.url.endsWith('/own')) event.respondWith(new Response('the own route'));
});
