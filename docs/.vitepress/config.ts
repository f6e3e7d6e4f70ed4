import { defineConfig, type DefaultTheme } from 'vitepress';
import { linksOfPages } from './links.ts';
import { NO_PAGES, pageOf, ROOT } from './pages.ts';
import { runButtons } from './run-buttons.ts';

const sidebar: DefaultTheme.SidebarItem[] = [
  {
    text: 'Use it',
    items: [
      { text: 'Start', link: '/start' },
      { text: 'Put it into a site', link: '/embed' },
      { text: 'A site with its own service worker', link: '/own-worker' },
      { text: 'Code that cannot be changed', link: '/intercept' },
      { text: 'Without a service worker', link: '/page-fetch' },
      { text: 'Frames', link: '/frames' },
      { text: 'Content security policies', link: '/content-security' },
      { text: 'Threads and GPUs', link: '/devices' },
      { text: 'When something does not work', link: '/troubleshooting' },
      { text: 'Models and packs', link: '/models' },
      { text: 'Sampling, JSON Schema, tools', link: '/generation' },
      { text: 'Decide', link: '/decide' },
      { text: 'Search your files', link: '/files' },
      { text: 'Speech', link: '/speech' },
      { text: 'Chrome’s Prompt API', link: '/prompt-api' },
      { text: 'The console', link: '/console' },
      { text: 'Other programs: the bridge', link: '/serve' },
    ],
  },
  {
    text: 'Examples',
    items: [
      { text: 'Without a bundler', link: '/examples/static' },
      { text: 'webpack, Rspack, esbuild, Parcel', link: '/examples/bundlers' },
      { text: 'Vite and React', link: '/examples/vite-react' },
      { text: 'React Router', link: '/examples/react-router' },
      { text: 'Next', link: '/examples/next' },
      { text: 'SvelteKit', link: '/examples/sveltekit' },
      { text: 'Astro', link: '/examples/astro' },
      { text: 'Nuxt', link: '/examples/nuxt' },
      { text: 'Answers about a folder', link: '/examples/rag' },
      { text: 'Which team?', link: '/examples/router' },
      { text: 'Spoken notes', link: '/examples/notes' },
      { text: 'A site with its own worker', link: '/examples/own-worker' },
    ],
  },
  {
    text: 'Look it up',
    items: [
      { text: 'The API, field by field', link: '/api' },
      { text: 'The page API', link: '/reference/' },
      { text: 'Errors', link: '/errors' },
      { text: 'Upstreams', link: '/upstreams' },
      { text: 'A cluster behind a large site', link: '/scale' },
      { text: 'Security', link: '/security' },
      { text: 'Limits', link: '/limits' },
      { text: 'Memory', link: '/memory' },
      { text: 'Changes', link: '/changelog' },
    ],
  },
  {
    text: 'Inside',
    items: [
      { text: 'How it works', link: '/architecture' },
      { text: 'Benchmarks', link: '/benchmarks' },
      { text: 'Models that are built here', link: '/fixtures' },
      { text: 'Contributing', link: '/contributing' },
    ],
  },
];

/** Where the site is served: it starts slashv1 itself, whose service worker needs to know. */
const base = process.env['DOCS_BASE'] ?? '/';

/** Pages run these imports as they stand. */
const imports = {
  slashv1: `${base}slashv1.js`,
  'slashv1/prompt-api': `${base}prompt-api.js`,
  openai: `${base}openai.js`,
};

export default defineConfig({
  base,
  title: 'slashv1',
  description: 'An OpenAI-compatible inference API inside a web page',
  lang: 'en',
  srcDir: ROOT,
  srcExclude: NO_PAGES,
  outDir: `${ROOT}/dist/docs`,
  cacheDir: `${ROOT}/.cache/vitepress`,
  rewrites: pageOf,
  head: [['script', { type: 'importmap' }, JSON.stringify({ imports })]],
  markdown: {
    config: (md) => {
      md.use(linksOfPages);
      md.use(runButtons);
    },
  },
  vite: { publicDir: `${ROOT}/dist/docs-public` },
  themeConfig: {
    sidebar,
    outline: [2, 3],
    search: { provider: 'local' },
  },
});
