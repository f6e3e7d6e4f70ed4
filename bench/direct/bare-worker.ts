/** A service worker that only passes requests on: what it adds to one is the browser's part. */
addEventListener('fetch', (event) => {
  if (event instanceof FetchEvent) event.respondWith(fetch(event.request));
});
