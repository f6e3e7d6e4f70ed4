import { testTemplate } from './support/template.ts';

testTemplate({
  name: 'static',
  deep: 'deep/page/',
  options: (port) => [port],
});
