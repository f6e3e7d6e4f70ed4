export default {
  compatibilityDate: '2026-01-01',
  telemetry: false,
  app: { head: { link: [{ rel: 'icon', href: 'data:,' }] } },
};
