export default {
  basePath: '/app',
  // Without it, the address of the home page is /app, which is not in the scope /app/ of the service worker.
  trailingSlash: true,
};
