import { expect, test } from 'vitest';
import { adapterFacts } from '../../../src/console/device/adapter-facts.ts';
import {
  deviceFacts,
  reportText,
  testFacts,
  type Surroundings,
} from '../../../src/console/device/device-facts.ts';
import {
  describeDevice,
  engineFacts,
  threadFacts,
} from '../../../src/console/device/engine-facts.ts';
import de from '../../../src/console/messages/de.json';
import { inEnglish } from '../../../src/console/messages/language.ts';
import { locale } from '../../../src/console/messages/locale.ts';
import { en, messages } from '../../../src/console/messages/messages.ts';
import type { CatalogModel, DeviceReport, ThreadReport } from '../../../src/index.ts';

const NONE: Surroundings = {
  userAgent: 'Browser/1',
  cores: 8,
  models: [],
  options: {},
  hasBuiltIn: false,
  adapter: undefined,
  storage: undefined,
};

const DEVICE: DeviceReport = {
  gpu: 'hardware',
  shaderF16: true,
  engine: 'webllm',
  llamacpp: 'wasm',
  reason: '',
  host: 'page',
  isolated: true,
  memoryBudget: 1,
  threads: {
    llamacpp: { count: 6, limit: 8, reason: 'cores' },
    onnx: { count: 3, limit: 4, reason: 'cores' },
  },
};

test('the report says what the device has, as Markdown', () => {
  const device = {
    gpu: 'none' as const,
    shaderF16: false,
    engine: 'llamacpp' as const,
    llamacpp: 'wasm' as const,
    reason: 'This browser has no WebGPU.',
    host: 'page' as const,
    isolated: true,
    threads: DEVICE.threads,
    memoryBudget: 4e9,
  };
  const storage = { usage: 5e6, quota: 1e9, persisted: false };
  const adapter = adapterFacts({
    features: new Set(['timestamp-query', 'shader-f16']),
    limits: Object.create({ maxBufferSize: 1024, constructor: Object }),
  });
  const surroundings = { ...NONE, storage, adapter };
  const report = reportText(deviceFacts(device, surroundings));
  expect(report).toContain('## Graphics\n- WebGPU: none\n');
  expect(report).toContain('- Features: shader-f16, timestamp-query\n- maxBufferSize: 1,024');
  expect(report).toContain('- Isolated page: yes');
  expect(report).toContain('- WebLLM: Does not run: it needs WebGPU');
  expect(report).toContain('- Memory for models: 4 GB');
  expect(report).toContain('- User agent: Browser/1');
  const unknown = reportText(deviceFacts(device, { ...surroundings, storage: undefined }));
  expect(unknown).not.toContain('Storage');
});

test('the report has the self-test only if it was made', () => {
  expect(reportText(testFacts([]))).toBe('');
  const check = { name: 'storage', outcome: 'failed', detail: () => 'It is full.' } as const;
  expect(reportText(testFacts([check]))).toBe('## Self-test\n- Storage: failed: It is full.');
});

function engines(device: Partial<DeviceReport>, more: Partial<Surroundings> = {}): string[] {
  return engineFacts({ ...DEVICE, ...device }, { ...NONE, ...more }).map(({ value }) => value);
}

test('each engine runs, or the report says why not', () => {
  const [webllm, llamacpp, onnx, own] = engines({});
  expect(webllm).toMatch(/^Runs: it writes text on the graphics processor\.$/);
  expect(llamacpp).toMatch(/^Runs models that have no variant for WebLLM/);
  expect(onnx).toMatch(/some voices on the graphics processor/);
  expect(own).toMatch(/has none/);
  expect(engines({ shaderF16: false })[0]).toMatch(/32-bit variant/);
  expect(engines({ gpu: 'software', engine: 'llamacpp' })[0]).toMatch(/llama\.cpp is faster/);
  expect(engines({ gpu: 'none', engine: 'llamacpp' })[1]).toBe('Runs: it writes text on the CPU.');
  const allowed = (name: 'webllm' | 'llamacpp') => ({ options: { engines: [name] } });
  expect(engines({ engine: 'llamacpp' }, allowed('llamacpp'))[0]).toMatch(/does not allow/);
  expect(engines({}, allowed('webllm'))[1]).toMatch(/does not allow/);
});

test('one sentence says where text is written', () => {
  const lead = (device: Partial<DeviceReport>) => describeDevice({ ...DEVICE, ...device });
  expect(lead({})).toBe('Models write text on the graphics processor here.');
  expect(lead({ engine: 'llamacpp', llamacpp: 'webgpu' })).toBe(lead({}));
  expect(lead({ engine: 'llamacpp' })).toMatch(/on the CPU here, although/);
  expect(lead({ gpu: 'none', engine: 'llamacpp' })).toMatch(/no graphics processor/);
  expect(lead({ gpu: 'software' })).toMatch(/on the CPU here: /);
  expect(lead({ gpu: 'none', engine: null })).toMatch(/^Models can’t write text here/);
});

test('the model of the browser runs, waits for its download, or is not offered', () => {
  const own = (state: string) =>
    ({ id: 'chrome/built-in', state, variant: { engine: 'builtin' } }) as CatalogModel;
  const value = (models: CatalogModel[]) => engines({}, { models, hasBuiltIn: true })[3];
  expect(value([own('available')])).toMatch(/^Runs once the browser has downloaded it/);
  expect(value([own('installed')])).toMatch(/^Runs: /);
  expect(value([])).toMatch(/does not offer it/);
});

test('the number of threads comes with its reason', () => {
  const threads = (llamacpp: Partial<ThreadReport> = {}, onnx: Partial<ThreadReport> = {}) =>
    threadFacts({
      ...DEVICE,
      threads: {
        llamacpp: { ...DEVICE.threads.llamacpp, ...llamacpp },
        onnx: { ...DEVICE.threads.onnx, ...onnx },
      },
    }).map(({ value }) => value);
  const alone = (reason: ThreadReport['reason']) => threads({ count: 1, reason });
  expect(alone('not-isolated')).toEqual([expect.stringMatching(/^1: .*not isolated/)]);
  expect(alone('no-shared-memory')).toEqual([expect.stringMatching(/SharedArrayBuffer/)]);
  expect(alone('firefox')).toEqual([expect.stringMatching(/Firefox/)]);
  expect(threads()).toEqual([
    'The fastest number up to 6: it is measured while llama.cpp computes.',
    '3: half of the cores, at most 4.',
  ]);
  const chosen = threads({ count: 2, reason: 'site' }, { count: 1, reason: 'site' });
  expect(chosen).toEqual(['2: set by this site.', '1: set by this site.']);
});

test('the report is in English, whatever language is shown', () => {
  locale.value = 'de';
  messages.value = de;
  const report = () => reportText(deviceFacts({ ...DEVICE, memoryBudget: 1.5e9 }, NONE));
  expect(inEnglish(report)).toContain('- Memory for models: 1.5 GB');
  expect(report()).toMatch(/- Speicher für Modelle: 1,5\sGB/);
  locale.value = 'en';
  messages.value = en;
});
