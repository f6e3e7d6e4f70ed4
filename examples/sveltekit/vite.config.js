import adapter from '@sveltejs/adapter-static';
import { sveltekit } from '@sveltejs/kit/vite';
import { slashv1 } from 'slashv1/vite';

export default {
  plugins: [sveltekit({ adapter: adapter() }), slashv1({ packs: ['tiny-chat'], speech: false })],
};
