import { describe, expect, test } from 'vitest';
import { detectBrowser } from '../../../src/console/problem/browser.ts';
import { describeProblem, type Surroundings } from '../../../src/console/problem/problem.ts';
import { webgpuSteps } from '../../../src/console/problem/webgpu-advice.ts';
import { StartError } from '../../../src/index.ts';

const here: Surroundings = {
  browser: { name: 'chrome', platform: 'linux' },
  url: new URL('http://192.168.1.5:8080/lab/'),
  hasWebgpu: true,
};

describe('detectBrowser', () => {
  const webkit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
  test.each([
    [`Mozilla/5.0 (X11; Linux x86_64) ${webkit} Chrome/156.0 Safari/537.36`, 0, 'chrome', 'linux'],
    [`Mozilla/5.0 (X11; Linux) ${webkit} HeadlessChrome/156.0 Safari/537`, 0, 'chrome', 'linux'],
    [`Mozilla/5.0 (Windows NT 10.0) ${webkit} Chrome/156 Edg/156`, 0, 'edge', 'windows'],
    ['Mozilla/5.0 (Windows NT 10.0; rv:141.0) Gecko Firefox/141.0', 0, 'firefox', 'windows'],
    [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webkit} Safari/605`, 0, 'safari', 'mac'],
    [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webkit} Safari/605`, 5, 'safari', 'ios'],
    [
      `Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) ${webkit} CriOS/1`,
      5,
      'chrome',
      'ios',
    ],
    [`Mozilla/5.0 (Linux; Android 14) ${webkit} Chrome/156 Mobile`, 5, 'chrome', 'android'],
    ['curl/8', 0, 'other', 'other'],
  ])('%s', (userAgent, touchPoints, name, platform) => {
    expect(detectBrowser(userAgent, touchPoints)).toEqual({ name, platform });
  });
});

describe('describeProblem', () => {
  test('every code of StartError has its own title and at least one step', () => {
    const codes = [
      'insecure_context',
      'service_worker_unavailable',
      'service_worker_failed',
      'simd_unavailable',
      'webgpu_unavailable',
      'model_failed',
      'invalid_option',
    ] as const;
    const problems = codes.map((code) => describeProblem(new StartError(code, 'why'), here));
    expect(new Set(problems.map(({ title }) => title)).size).toBe(codes.length);
    for (const { steps } of problems) expect(steps.length).toBeGreaterThan(0);
    expect(problems[4]?.technical).toBe('webgpu_unavailable: why');
  });

  test('the steps for an insecure page name its address on localhost', () => {
    const { steps } = describeProblem(new StartError('insecure_context', ''), here);
    expect(steps[0]).toContain('`http://localhost:8080/lab/`');
  });

  test('a browser without WebGPU and one without a GPU are different problems', () => {
    const error = new StartError('webgpu_unavailable', '');
    const without = describeProblem(error, { ...here, hasWebgpu: false });
    expect(describeProblem(error, here).title).not.toBe(without.title);
  });

  test('anything else that is thrown is shown unchanged', () => {
    expect(describeProblem(new TypeError('boom'), here).technical).toBe('boom');
    expect(describeProblem('boom', here).technical).toBe('boom');
  });
});

describe('webgpuSteps', () => {
  test('Chrome on Linux gets the address of its flags', () => {
    const steps = webgpuSteps({ name: 'chrome', platform: 'linux' }, true);
    expect(steps[0]).toContain('chrome://flags/#enable-unsafe-webgpu');
  });

  test('all addresses for Edge begin with edge:', () => {
    const steps = webgpuSteps({ name: 'edge', platform: 'windows' }, true).join('\n');
    expect(steps).toContain('edge://gpu');
    expect(steps).not.toContain('chrome://');
  });

  test('an update is advised only if the browser has no WebGPU', () => {
    const windows = { name: 'chrome', platform: 'windows' } as const;
    expect(webgpuSteps(windows, false)[0]).toContain('113');
    expect(webgpuSteps(windows, true)[0]).not.toContain('113');
  });

  test('on iOS the system has to be updated, whatever the browser is', () => {
    expect(webgpuSteps({ name: 'chrome', platform: 'ios' }, false)[0]).toContain('iPadOS 26');
  });
});
