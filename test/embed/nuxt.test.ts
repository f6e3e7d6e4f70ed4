import { testTemplate } from './support/template.ts';

testTemplate({
  name: 'nuxt',
  deep: 'deep/page/',
  options: (port) => [port],
});
