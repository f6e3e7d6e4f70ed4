import { reactRouter } from '@react-router/dev/vite';
import { slashv1 } from 'slashv1/vite';

export default {
  plugins: [reactRouter(), slashv1({ packs: ['tiny-chat'], speech: false })],
};
