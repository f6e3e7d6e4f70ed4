import type { Plugin } from 'vite';

/** What helps a site with two service workers. */
export const ONE_WORKER =
  'A folder has one service worker: use slashv1({ sw: false }), and let yours call handle() of slashv1/sw. ' +
  'docs/own-worker.md shows how.';

/**
 * Looks for plugins of Vite beside which this one cannot work.
 *
 * @param sw - whether this one writes `sw.js`
 * @throws Error that names the plugin and what to do
 */
export function checkOtherPlugins(plugins: readonly Plugin[], sw: boolean): void {
  if (plugins.some(({ name }) => name.startsWith('nuxt:'))) {
    throw new Error(
      'slashv1: Nuxt does not publish the files of plugins of Vite. Take slashv1() out of nuxt.config, run ' +
        "`npx slashv1 init public`, and call start({ base: '/' }), or your baseURL: docs/embed.md shows how.",
    );
  }
  if (sw && plugins.some(writesServiceWorker)) {
    throw new Error(`slashv1: vite-plugin-pwa writes a service worker, too. ${ONE_WORKER}`);
  }
}

function writesServiceWorker({ name, api }: Plugin<{ disabled?: boolean } | undefined>): boolean {
  return name === 'vite-plugin-pwa' && !api?.disabled;
}
