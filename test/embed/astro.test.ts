import { testTemplate } from './support/template.ts';

testTemplate({
  name: 'astro',
  deep: 'deep/page/',
  options: (port) => ['--port', port],
});
