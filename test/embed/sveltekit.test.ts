import { testTemplate } from './support/template.ts';

testTemplate({
  name: 'sveltekit',
  deep: 'deep/page',
  options: (port) => ['--port', port, '--strictPort'],
});
