import react from '@vitejs/plugin-react';
import { slashv1 } from 'slashv1/vite';

export default {
  plugins: [react(), slashv1({ packs: ['tiny-chat'], speech: false })],
};
