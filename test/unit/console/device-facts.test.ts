import { expect, test } from 'vitest';
import { deviceFacts, reportText, testFacts } from '../../../src/console/device/device-facts.ts';

test('the report says what the device has, as Markdown', () => {
  const device = {
    gpu: 'none' as const,
    shaderF16: false,
    engine: 'llamacpp' as const,
    reason: 'This browser has no WebGPU.',
    isolated: true,
    memoryBudget: 4e9,
  };
  const storage = { usage: 5e6, quota: 1e9, persisted: false };
  const surroundings = { userAgent: 'Browser/1', cores: 8, storage, models: [] };
  const report = reportText(deviceFacts(device, surroundings));
  expect(report).toContain('## Graphics\n- WebGPU: none\n');
  expect(report).toContain('- Isolated page: yes: several threads');
  expect(report).toContain('- Memory for models: 4 GB');
  expect(report).toContain('- User agent: Browser/1');
  const unknown = reportText(deviceFacts(device, { ...surroundings, storage: undefined }));
  expect(unknown).not.toContain('Storage');
});

test('the report has the self-test only if it was made', () => {
  expect(reportText(testFacts([]))).toBe('');
  const check = { name: 'Storage', outcome: 'failed', detail: 'It is full.' } as const;
  expect(reportText(testFacts([check]))).toBe('## Self-test\n- Storage: failed: It is full.');
});
