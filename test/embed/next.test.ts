import { testTemplate } from './support/template.ts';

testTemplate({
  name: 'next',
  home: '/app/',
  deep: 'deep/page/',
  options: (port) => ['--port', port],
});
