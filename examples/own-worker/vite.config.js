import { slashv1 } from 'slashv1/vite';
import { VitePWA } from 'vite-plugin-pwa';

export default {
  plugins: [
    // `sw: false`: the site's own service worker answers for slashv1.
    slashv1({ packs: ['tiny-chat'], speech: false, sw: false }),
    VitePWA({
      strategies: 'injectManifest',
      srcDir: 'src',
      filename: 'sw.js',
      // The page registers it itself.
      injectRegister: false,
      // `vite dev` has no service worker otherwise.
      devOptions: { enabled: true, type: 'module' },
      injectManifest: {
        // Models are kept elsewhere, and so are the files of an engine when it is first used.
        globIgnores: ['packs/**', 'webllm*', 'llamacpp*', 'slashv1-sw.js'],
      },
    }),
  ],
};
