import { expect, test } from 'vitest';
import { parseServeOptions } from '../../../src/node/serve/options.ts';
import { UsageError } from '../../../src/node/usage-error.ts';

const KEY = `sk-slashv1-${'Az09_-'.repeat(7)}x`;

test('with a display the site is opened; without one the bridge is started', () => {
  expect(parseServeOptions([], true)).toEqual({ folder: '.', port: 8787, open: true });
  expect(parseServeOptions([], false)).toEqual({
    folder: '.',
    port: 8787,
    open: false,
    headless: { apiPort: 8788, models: [], gpu: 'auto', log: false, allowOrigins: [] },
  });
});

test('options override both defaults', () => {
  expect(parseServeOptions(['--headless'], true)).toMatchObject({ open: false, headless: {} });
  expect(parseServeOptions(['--headless', '--open'], true)).toMatchObject({ open: true });
  expect(parseServeOptions(['--no-headless'], false)).toEqual({
    folder: '.',
    port: 8787,
    open: true,
  });
  expect(parseServeOptions(['--no-open'], true)).toMatchObject({ open: false });
});

test('every option of the bridge is read', () => {
  const args = ['site', '--headless', '--port', '0', '--api-port=9000', '--key', KEY];
  args.push(
    '--model',
    'a/b',
    '--model',
    'c',
    '--gpu',
    'hardware',
    '--log',
    '--allow-origin',
    'http://a.test/',
  );
  expect(parseServeOptions([...args, '--allow-origin=*'], true)).toEqual({
    folder: 'site',
    port: 0,
    open: false,
    headless: {
      apiPort: 9000,
      key: KEY,
      models: ['a/b', 'c'],
      gpu: 'hardware',
      log: true,
      allowOrigins: ['http://a.test', '*'],
    },
  });
});

test.each([
  [['--colour'], "Unknown option '--colour'."],
  [['--port'], "Option '--port <value>' argument missing."],
  [['--port', 'http'], '--port must be a number from 0 to 65535, not "http".'],
  [['--port', '65536'], '--port must be'],
  [['--port', '-1'], "Option '--port' argument is ambiguous"],
  [['--port='], '--port must be a number from 0 to 65535, not "".'],
  [['--api-port', '1e3'], '--api-port must be'],
  [['--api-port', '8787'], '--port and --api-port are both 8787: they must differ.'],
  [['--key', 'sk-1'], '--key must be sk-slashv1- followed by 43 characters'],
  [['--key', `${KEY}x`], '--key must be'],
  [['--model='], '--model needs the id of a model, a GGUF file or the folder'],
  [['--gpu', 'fast'], '--gpu must be one of auto, software, hardware, not "fast".'],
  [['--allow-origin', 'a.test'], '--allow-origin must be an origin'],
  [['--headless', '--no-headless'], '--headless and --no-headless exclude each other.'],
  [['a', 'b', 'c'], 'Only one folder can be served. Remove b, c.'],
  [['--headless=yes'], "Option '--headless' does not take an argument."],
])('%j is refused: %s', (args, message) => {
  const parse = () => parseServeOptions(args, false);
  expect(parse).toThrow(UsageError);
  expect(parse).toThrow(message);
});

test('the error for a mistyped key does not repeat it', () => {
  expect(() => parseServeOptions(['--key', 'sk-secret'], false)).not.toThrow('secret');
});

test('options of the bridge need --headless', () => {
  expect(() => parseServeOptions(['--model', 'a/b'], true)).toThrow(
    '--model is an option of the bridge',
  );
});
