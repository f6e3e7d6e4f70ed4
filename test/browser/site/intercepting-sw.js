/* A site's service worker that answers for another service too. */
importScripts('slashv1-sw.js');

self.slashv1.allowClaim();
self.slashv1.intercept(['https://api.openai.com/v1'], {
  modelMap: { 'gpt-4o-mini': 'slashv1/tiny-chat' },
});
self.addEventListener('fetch', (event) => {
  if (!self.slashv1.handle(event)) event.respondWith(fetch(event.request));
});
