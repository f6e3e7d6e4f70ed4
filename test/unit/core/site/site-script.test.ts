import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const createPolicy = vi.fn<(name: string, rules: object) => object>();

beforeEach(() => {
  vi.resetModules();
  createPolicy.mockReset();
  createPolicy.mockImplementation(() => ({ createScriptURL: (url: string) => `trusted ${url}` }));
  vi.stubGlobal('origin', 'http://site');
});

afterEach(() => vi.unstubAllGlobals());

const refuse = () => {
  throw new TypeError('The policy disallows it.');
};

/** A new copy of the module, as each page and worker has one. */
const load = () => import('../../../../src/core/site/site-script.ts');

test('where there are Trusted Types, addresses pass one policy, which is made once', async () => {
  vi.stubGlobal('trustedTypes', { createPolicy });
  const { trustedScript } = await load();
  expect([trustedScript('a.js'), trustedScript('b.js')]).toEqual(['trusted a.js', 'trusted b.js']);
  expect(createPolicy.mock.calls.map(([name]) => name)).toEqual(['slashv1']);
});

test.each([
  ['where there are none', undefined],
  ['where the policy is forbidden', { createPolicy: refuse }],
])('%s, an address stays a string', async (_, trustedTypes) => {
  vi.stubGlobal('trustedTypes', trustedTypes);
  const { trustedScript } = await load();
  expect(trustedScript('a.js')).toBe('a.js');
});

test('a worker of the same origin gets its own address', async () => {
  const { workerScript } = await load();
  expect(workerScript(new URL('http://site/engine.js'))).toBe('http://site/engine.js');
});

test('a worker of another origin is a script of this one that imports it, made once', async () => {
  const { workerScript } = await load();
  const script = workerScript(new URL('https://cdn/"engine.js'));
  expect(await (await fetch(script)).text()).toBe('import "https://cdn/%22engine.js";');
  expect(workerScript(new URL('https://cdn/"engine.js'))).toBe(script);
});

test('workers that a library starts get the same addresses', async () => {
  const { siteWorkers } = await load();
  const scripts: unknown[] = [];
  class Plain extends EventTarget {
    constructor(script: unknown) {
      super();
      scripts.push(script);
    }
  }
  const Thread = siteWorkers(Plain as unknown as typeof Worker);
  expect(new Thread('http://site/a.js')).toBeInstanceOf(Plain);
  expect(new Thread(new URL('https://cdn/a.js'))).toBeInstanceOf(Plain);
  expect(scripts).toEqual(['http://site/a.js', expect.stringMatching(/^blob:/)]);
});
