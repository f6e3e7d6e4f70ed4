import { expect, test } from 'vitest';
import { findChromium, webgpuFlags, type Surroundings } from '../../../src/node/browser.ts';

function search(executables: string[], overrides: Partial<Surroundings> = {}): string {
  return findChromium({
    env: { PATH: '/usr/local/bin:/usr/bin', HOME: '/home/me' },
    platform: 'linux',
    canRun: (path) => executables.includes(path),
    playwrightPath: () => undefined,
    ...overrides,
  });
}

test('a browser in PATH is found, Chromium before Chrome', () => {
  expect(search(['/usr/bin/google-chrome'])).toBe('/usr/bin/google-chrome');
  expect(search(['/usr/bin/google-chrome', '/usr/bin/chromium'])).toBe('/usr/bin/chromium');
});

test('Playwright’s Chromium comes before it, if it is installed', () => {
  const playwrightPath = () => '/pw/chrome';
  expect(search(['/usr/bin/chromium', '/pw/chrome'], { playwrightPath })).toBe('/pw/chrome');
  expect(search(['/usr/bin/chromium'], { playwrightPath })).toBe('/usr/bin/chromium');
});

test('a browser that the environment names comes before all others', () => {
  const env = { PATH: '/usr/bin', CHROME_PATH: '/my/chrome', SLASHV1_CHROMIUM: '/my/chromium' };
  const all = ['/usr/bin/chromium', '/my/chrome', '/my/chromium'];
  expect(search(all, { env })).toBe('/my/chromium');
  expect(search(all, { env: { ...env, SLASHV1_CHROMIUM: '' } })).toBe('/my/chrome');
});

test('a wrong path in the environment is an error and is not skipped', () => {
  const env = { PATH: '/usr/bin', SLASHV1_CHROMIUM: '/my/chromium' };
  expect(() => search(['/usr/bin/chromium'], { env })).toThrow(
    'SLASHV1_CHROMIUM is "/my/chromium"',
  );
});

test('if there is no browser, the error says how to get one', () => {
  expect(() => search([])).toThrow(/Install Chromium or Chrome .*SLASHV1_CHROMIUM/);
});

test('browsers are found where macOS and Windows install them', () => {
  const mac = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
  expect(search([mac], { platform: 'darwin' })).toBe(mac);
  const windows = 'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe';
  const env = { ProgramFiles: 'C:\\Program Files' };
  expect(search([windows], { platform: 'win32', env })).toBe(windows);
});

test('software mode runs WebGPU on SwiftShader', () => {
  expect(webgpuFlags('software')).toContain('--use-webgpu-adapter=swiftshader');
  expect(webgpuFlags('hardware')).not.toContain('--use-webgpu-adapter=swiftshader');
});
