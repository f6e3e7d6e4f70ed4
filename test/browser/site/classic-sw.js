/* A site's service worker: a classic script with another library that answers every request, as MSW's does. */
importScripts('slashv1-sw.js');

self.slashv1.allowClaim();
self.addEventListener('fetch', (event) => {
  if (self.slashv1.handle(event)) event.stopImmediatePropagation();
});
self.addEventListener('fetch', (event) => {
  const isOwn = event.request.url.endsWith('/own');
  event.respondWith(isOwn ? new Response('the own route') : fetch(event.request));
});
