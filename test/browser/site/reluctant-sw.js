/* A site's service worker that never claims a page. */
importScripts('slashv1-sw.js');

self.addEventListener('fetch', (event) => void self.slashv1.handle(event));
