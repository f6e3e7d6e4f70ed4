/* A site's service worker: a module, which takes control of its pages by itself. */
import { handle } from './handle.js';

self.addEventListener('install', () => void self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('fetch', (event) => {
  if (handle(event)) return;
  if (event.request.url.endsWith('/own')) event.respondWith(new Response('the own route'));
});
