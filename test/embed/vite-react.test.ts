import { testTemplate } from './support/template.ts';

testTemplate({
  name: 'vite-react',
  deep: 'deep/page',
  options: (port) => ['--port', port, '--strictPort'],
});
