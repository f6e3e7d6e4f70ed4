import { allowClaim, handle } from 'slashv1/sw';
import { createHandlerBoundToURL, precacheAndRoute } from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';

// On a first visit and after a hard reload, start() may take control of the page.
allowClaim();

// Workbox must not see the requests that slashv1 answers, so this listener is the first.
self.addEventListener('fetch', (event) => {
  if (handle(event)) event.stopImmediatePropagation();
});

// `vite dev` has no files to keep.
if (!import.meta.env.DEV) {
  precacheAndRoute(self.__WB_MANIFEST);
  registerRoute(new NavigationRoute(createHandlerBoundToURL('index.html')));
}
