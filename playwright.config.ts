import { defineConfig } from 'playwright/test';
import { findChromium, webgpuFlags } from './src/node/browser.ts';
import type { EngineOption } from './test/browser/support/engine-option.ts';

/** Tests of features that both text engines have. They run on WebLLM, and once more on llama.cpp. */
const OF_BOTH = tests(
  'api/api-clients',
  'api/errors',
  'api/odd-requests',
  'chat/*',
  'engines/memory',
  'faults/abort-storm',
  'faults/same-answer',
  'faults/standby',
  'page/content-security',
);
/**
 * Tests of features that only llama.cpp has, and of features that do not depend on the engine. They run on llama.cpp,
 * because on a GPU in software, each new engine compiles WebLLM's kernels for seconds.
 */
const OF_LLAMACPP = tests(
  'api/clients',
  'api/privacy',
  'api/watch-requests',
  'console/*',
  'engines/built-in',
  'engines/half-precision',
  'engines/llamacpp',
  'engines/long-prompt',
  'faults/abort-kinds',
  'faults/broken-files',
  'faults/broken-parts',
  'faults/clock',
  'faults/database',
  'faults/hung-engine',
  'faults/model-worker',
  'faults/other-build',
  'faults/service-worker',
  'faults/silent-files',
  'faults/site-opens',
  'faults/update',
  'hearing/hearing-*',
  'hearing/moonshine',
  'hearing/notes-example',
  'hearing/whisper-mels',
  'images/broken-images',
  'images/image-privacy',
  'images/seeing',
  'images/tiny-see',
  'intercept/*',
  'models/catalog',
  'models/kinds-in-list',
  'page/bases',
  'page/extension',
  'page/frames',
  'page/from-cdn',
  'page/isolate',
  'page/isolated',
  'page/one-origin',
  'page/own-worker',
  'page/page-fetch',
  'page/reach',
  'page/share',
  'page/start-twice',
  'page/tabs-without-worker',
  'prompt-api/*',
  'retrieval/gguf-retrieval',
  'retrieval/hub-embedders',
  'retrieval/rag-example',
  'upstreams/*',
);

function tests(...names: string[]): string[] {
  return names.map((name) => `**/browser/${name}.test.ts`);
}

export default defineConfig<object, EngineOption>({
  testDir: 'test/browser',
  globalSetup: './test/browser/support/global-setup.ts',
  outputDir: 'test-results/browser',
  // A GPU in software uses two cores while it compiles; most of the other time, tests only wait.
  workers: 2,
  fullyParallel: false,
  forbidOnly: Boolean(process.env['CI']),
  // A flaky test counts as failed.
  retries: 0,
  timeout: 120_000,
  // On a busy machine, a page that is right can take longer than Playwright's five seconds.
  expect: { timeout: 30_000 },
  reporter: [['list'], ['./scripts/playwright-reporter.ts', { suite: 'browser' }]],
  projects: [
    { name: 'webllm', use: { engine: 'webllm' }, testIgnore: OF_LLAMACPP },
    {
      name: 'llamacpp',
      use: { engine: 'llamacpp' },
      testMatch: [...OF_BOTH, ...OF_LLAMACPP],
    },
  ],
  use: {
    browserName: 'chromium',
    launchOptions: { executablePath: findChromium(), args: webgpuFlags('software') },
  },
});
