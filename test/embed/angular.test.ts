import { testTemplate } from './support/template.ts';

testTemplate({
  name: 'angular',
  deep: 'deep/page',
  options: (port) => ['--port', port, '--strictPort'],
});
