import { testTemplate } from './support/template.ts';

testTemplate({ name: 'next', deep: '/deep/page', options: (port) => ['--port', port] });
