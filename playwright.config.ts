import { defineConfig } from 'playwright/test';
import { findChromium, webgpuFlags } from './src/node/browser.ts';
import type { EngineOption } from './test/browser/support/engine-option.ts';

/** The tests of what both text engines do: they run on WebLLM, and once more on llama.cpp. */
const OF_BOTH = tests(
  ...['abort', 'abort-storm', 'api-clients', 'chat', 'choices', 'errors', 'kv-cache', 'logprobs'],
  ...[
    'content-security',
    'memory',
    'odd-requests',
    'reasoning',
    'same-answer',
    'sampling',
    'scored-prompts',
    'standby',
    'structured',
    'tiny-chat',
  ],
  'tools',
);
const OF_LLAMACPP = tests(
  ...['built-in', 'abort-kinds', 'broken-images', 'image-privacy', 'kinds-in-list'],
  ...[
    'console-accessibility',
    'console-attachments',
    'console-busy',
    'console-chat',
    'console-code',
    'console-device',
    'console-dictation',
    'console-hub',
    'console-languages',
    'console-models',
    'console-pages',
    'console-playground',
    'console-queue',
    'console-requests',
    'console-tools',
    'console-upstreams',
  ],
  ...[
    'extension',
    'frames',
    'gguf-retrieval',
    'half-precision',
    'hearing-*',
    'hub-embedders',
    'intercept*',
    'isolate',
    'llamacpp',
    'long-prompt',
    'model-worker',
    'moonshine',
    'notes-example',
    'own-worker',
    'page-fetch',
    'prompt-api/*',
    'rag-example',
    'seeing',
    'share',
    'tabs-without-worker',
    'tiny-see',
    'upstream-headers',
    'upstream-load',
    'upstream-routes',
    'upstreams',
    'watch-requests',
    'whisper-mels',
  ],
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
  reporter: [['list'], ['json', { outputFile: 'test-results/browser.json' }]],
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
