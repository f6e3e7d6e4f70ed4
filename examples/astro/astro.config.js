import { defineConfig } from 'astro/config';
import { slashv1 } from 'slashv1/vite';

export default defineConfig({
  vite: { plugins: [slashv1({ packs: ['tiny-chat'], speech: false })] },
});
