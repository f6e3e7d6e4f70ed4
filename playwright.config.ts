import { defineConfig } from 'playwright/test';
import { findChromium, webgpuFlags } from './src/node/browser.ts';
import type { EngineOption } from './test/browser/support/engine-option.ts';

/** Tests of features that both text engines have. They run on WebLLM, and once more on llama.cpp. */
const OF_BOTH = tests(
  'abort',
  'abort-storm',
  'api-clients',
  'chat',
  'choices',
  'content-security',
  'errors',
  'kv-cache',
  'logprobs',
  'memory',
  'odd-requests',
  'reasoning',
  'same-answer',
  'sampling',
  'scored-prompts',
  'standby',
  'structured',
  'tiny-chat',
  'tools',
);
/**
 * Tests of features that only llama.cpp has, and of features that do not depend on the engine. They run on llama.cpp,
 * because on a GPU in software, each new engine compiles WebLLM's kernels for seconds.
 */
const OF_LLAMACPP = tests(
  'abort-kinds',
  'bases',
  'broken-images',
  'built-in',
  'catalog',
  'clients',
  'clock',
  'console',
  'console-accessibility',
  'console-answers',
  'console-attachments',
  'console-chat',
  'console-device',
  'console-keys',
  'console-languages',
  'console-models',
  'console-playground',
  'console-requests',
  'console-sound',
  'console-upstreams',
  'extension',
  'frames',
  'from-cdn',
  'gguf-retrieval',
  'half-precision',
  'hearing-*',
  'hub-embedders',
  'image-privacy',
  'intercept*',
  'isolate',
  'isolated',
  'kinds-in-list',
  'llamacpp',
  'long-prompt',
  'model-worker',
  'moonshine',
  'notes-example',
  'one-origin',
  'other-build',
  'own-worker',
  'page-fetch',
  'privacy',
  'prompt-api/*',
  'rag-example',
  'reach',
  'seeing',
  'service-worker',
  'share',
  'start-twice',
  'tabs-without-worker',
  'tiny-see',
  'update',
  'upstream-headers',
  'upstream-load',
  'upstream-routes',
  'upstreams',
  'watch-requests',
  'whisper-mels',
);

function tests(...names: string[]): string[] {
  return names.map((name) => `**/${name}.test.ts`);
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
