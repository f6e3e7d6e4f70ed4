import { defineConfig } from 'playwright/test';
import { findChromium, webgpuFlags } from './src/node/browser.ts';
import type { EngineOption } from './test/browser/support/engine-option.ts';

/** Tests of features that both text engines have. They run on WebLLM, and once more on llama.cpp. */
const OF_BOTH = tests(
  'api/api-clients',
  'api/errors',
  'api/odd-requests',
  'chat/abort',
  'chat/chat',
  'chat/choices',
  'chat/decisions',
  'chat/kv-cache',
  'chat/logprobs',
  'chat/prompt-caching',
  'chat/reasoning',
  'chat/sampling',
  'chat/scored-prompts',
  'chat/structured',
  'chat/tongues',
  'chat/tools',
  'engines/memory',
  'faults/abort-storm',
  'faults/same-answer',
  'page/content-security',
);
/**
 * Tests of WebLLM, and of what pages do with a GPU. All others run on llama.cpp only, because on a GPU in software, each
 * new engine compiles WebLLM's kernels for seconds.
 */
const OF_WEBLLM = tests(
  'engines/device',
  'engines/equality',
  'engines/model-library',
  'engines/platform',
  'engines/reload',
  'faults/crashed-load',
  'faults/downloads',
  'faults/gpu',
  'faults/webllm-lost',
  'faults/whole-answers',
  'images/webllm-images',
  'models/hub',
  'models/stored-once',
);

/** Tests of what llama.cpp alone can do, and of what becomes of an answer when its worker or its tab ends. */
const OF_LLAMACPP = tests(
  'chat/prompts-on-disk',
  'engines/long-prompt',
  'faults/abort-kinds',
  'faults/engine-worker',
  'faults/gpu',
  'faults/model-worker',
  'faults/takeover',
  'images/broken-images',
  'images/image-urls',
  'images/images',
  'images/tiny-see',
  'models/gguf',
  'models/gguf-split',
  'retrieval/gguf-retrieval',
);

/** Tests of what the tab does that leads. They run once more with an engine that outlives its pages. */
const OF_LEADER = tests(
  'faults/abort-kinds',
  'faults/database',
  'faults/engine-worker',
  'faults/hung-engine',
  'faults/limits',
  'faults/model-worker',
  'faults/service-worker',
  'faults/takeover',
  'faults/update',
  'files/full-disk',
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
  reporter: [['list'], ['./scripts/testing/playwright-reporter.ts', { suite: 'browser' }]],
  projects: [
    {
      name: 'webllm',
      use: { engine: 'webllm' },
      testMatch: [...OF_BOTH, ...OF_WEBLLM],
      // In a file of both engines, a tag names the only one that a test runs on.
      grepInvert: /@llamacpp/,
    },
    {
      name: 'llamacpp',
      use: { engine: 'llamacpp' },
      testIgnore: OF_WEBLLM,
      grepInvert: /@webllm/,
    },
    {
      name: 'outlive',
      use: { engine: 'llamacpp', outlive: true },
      testMatch: OF_LEADER,
      // A tag names tests that read the console of the engine's worker: pages do not get a SharedWorker's.
      grepInvert: /@webllm|@worker-of-page/,
    },
    {
      name: 'gpu',
      use: { engine: 'llamacpp', onGpu: true },
      testMatch: [...OF_BOTH, ...OF_LLAMACPP],
      grepInvert: /@webllm/,
    },
  ],
  use: {
    browserName: 'chromium',
    launchOptions: { executablePath: findChromium(), args: webgpuFlags('software') },
  },
});
