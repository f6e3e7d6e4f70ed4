import { testTemplate } from './support/template.ts';

testTemplate({
  name: 'react-router',
  deep: 'deep/page',
  options: (port) => ['--port', port, '--strictPort'],
});
