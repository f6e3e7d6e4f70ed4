import { expect, test } from 'vitest';
import { parseServeOptions } from '../../../src/node/serve/options/options.ts';
import { UsageError } from '../../../src/node/command-line.ts';

const KEY = `sk-slashv1-${'Az09_-'.repeat(7)}x`;

test('with a display the site is opened; without one the bridge is started', () => {
  expect(parseServeOptions([], true)).toEqual({ folder: '.', port: 8787, open: true });
  expect(parseServeOptions([], false)).toEqual({
    folder: '.',
    port: 8787,
    open: false,
    headless: {
      apiPort: 8788,
      models: [],
      gpu: 'auto',
      log: false,
      allowOrigins: [],
    },
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
    '--context=4096',
    '--kv-cache-type=q8_0',
    '--log',
    '--files',
    '--hear=slashv1/tiny-hear',
    '--mcp=https://mcp.example/mcp',
    '--mcp=http://localhost:3000',
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
      contextLength: 4096,
      kvCacheType: 'q8_0',
      hear: 'slashv1/tiny-hear',
      mcp: { servers: ['https://mcp.example/mcp', 'http://localhost:3000'] },
      log: true,
      files: true,
      allowOrigins: ['http://a.test', '*'],
    },
  });
});

test.each([
  [['--colour'], "Unknown option '--colour'."],
  [['--port'], "Option '--port <value>' argument missing."],
  [['--mcp', 'mcp.example'], '--mcp must be the URL of a server'],
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
  [['--upstream', 'https://llm.example/v1'], '--upstream must be name=URL'],
  [['--upstream', 'a b=https://llm.example/v1'], 'must have names of letters'],
  [['--upstream', 'a=ftp://llm.example/v1'], 'must have an http or https baseURL'],
  [['--upstream', 'a=http://127.0.0.1:8787/v1'], 'cannot be slashv1 itself'],
  [['--upstream=a.b=http://a/v1', '--upstream=a-b=http://b/v1'], 'SLASHV1_UPSTREAM_A_B_TOKEN.'],
  [['--route', 'device:a/b'], '--route must be name=device:MODEL,UPSTREAM:MODEL, not "device:a/b"'],
  [['--route', 'a='], '--route must be name='],
  [['--route', 'a=a/b'], "must lead to 'device:MODEL' or 'UPSTREAM:MODEL', not 'a/b' (a)"],
  [['--route', 'a=device:a/b,'], "not '' (a)"],
  [
    ['--upstream=b=https://llm.example/v1', '--route=a=c:big'],
    "not 'c:big' (a). It may lead to: device, b.",
  ],
  [['--route=a=device:x', '--route=a=device:y'], "--route has the name 'a' twice."],
  [['--route=a=device:x', '--max-queue=0'], '--max-queue must be a whole number from 1, not "0".'],
  [['--hear='], '--hear needs the id of a model.'],
  [['--context=0'], '--context must be a whole number from 1, not "0".'],
  [['--kv-cache-type=q4_0'], '--kv-cache-type must be f16 or q8_0, not "q4_0".'],
  [['--context=8k'], '--context must be a whole number from 1, not "8k".'],
  [['--max-queue=2'], '--max-queue is for routes: it needs --route.'],
  [['--no-headless', '--route=a=device:x'], '--route is an option of the bridge'],
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

test('upstreams have the tokens that the environment holds for them, and no others', () => {
  const args = [
    '--upstream',
    'my-cluster=https://llm.example/v1/',
    '--upstream=b=http://b.test/v1',
  ];
  const env = { SLASHV1_UPSTREAM_MY_CLUSTER_TOKEN: ' secret\n', SLASHV1_UPSTREAM_C_TOKEN: 'other' };
  expect(parseServeOptions(args, false, env)).toMatchObject({
    headless: {
      upstreams: [
        { name: 'my-cluster', baseURL: 'https://llm.example/v1', token: 'secret' },
        { name: 'b', baseURL: 'http://b.test/v1' },
      ],
    },
  });
});

test('no error repeats a token or the address of an upstream', () => {
  const parse = (upstream: string, token = '') =>
    parseServeOptions(['--upstream', upstream], false, { SLASHV1_UPSTREAM_A_TOKEN: token });
  expect(() => parse('a=https://user:secret@llm.example/v1')).toThrow(
    /^(?!.*(secret|llm\.)).*user/,
  );
  expect(() => parse('a=https://llm.example/v1', 'se\ncret')).toThrow(/^(?!.*cret).*A_TOKEN has/);
});

test('routes pass over the device while so many requests wait there', () => {
  const args = ['--upstream=cluster=https://llm.example/v1', '--max-queue=2'];
  const route = '--route=assistant=device:a/b,cluster:big';
  expect(parseServeOptions([...args, route], false, {})).toMatchObject({
    headless: { routes: { assistant: [{ to: 'device:a/b', maxQueue: 2 }, 'cluster:big'] } },
  });
});

test('routes lead to models of the device and of upstreams, in this order', () => {
  const args = [
    '--upstream=cluster=https://llm.example/v1',
    '--route=assistant=device:a/b,cluster:big:8b',
    '--route=other=cluster:big',
  ];
  expect(parseServeOptions(args, false, {})).toMatchObject({
    headless: {
      routes: { assistant: ['device:a/b', 'cluster:big:8b'], other: ['cluster:big'] },
    },
  });
});
