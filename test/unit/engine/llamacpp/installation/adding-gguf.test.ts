import { describe, expect, test, vi } from 'vitest';
import { noTraffic } from '../../../../support/servers/file-source.ts';
import { splitTinyGguf, tinyGguf } from '../../../../support/gguf/tiny-gguf.ts';
import { add, bytesOf, ggufVariant, storedBytes } from '../../../support/adding.ts';
import { openEngine } from '../../../support/servers/engine-site.ts';
import { closedServer, fails, sends, sendsJson } from '../../../support/servers/http-server.ts';
import { largeFiles, REPOSITORY, sendsFile } from '../../../support/servers/hub-server.ts';
import { NEVER } from '../../../support/never.ts';

vi.mock('@mlc-ai/web-llm', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  MLCEngine: (await import('../../../support/fakes/fake-mlc-engine.ts')).FakeMlcEngine,
}));

const MIB = 1024 * 1024;

/** A file as long as a small model's. */
function large(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc(8 * MIB)]);
}

const NAME = 'someone/Tiny-GGUF';
const FILES = {
  'Tiny-F16.gguf': tinyGguf({ seed: 1 }),
  'Tiny-Q4_K_M.gguf': large(tinyGguf({ metadata: { 'general.file_type': { u32: 15 } } })),
  'Tiny-Q8_0.gguf': tinyGguf({ seed: 2, metadata: { 'general.file_type': { u32: 7 } } }),
  'Tiny-Q4_K_M.imatrix.gguf': Buffer.from('not a model'),
  'README.md': Buffer.from('any'),
};

describe('a repository on the hub', () => {
  test('is added as its best file, of which only the header is read', async () => {
    const traffic = noTraffic();
    const site = await openEngine(largeFiles(NAME, FILES, traffic));
    expect(await add(site, NAME)).toBe(NAME);
    expect(traffic.requests).toEqual([{ range: 'bytes=0-1048575', ifRange: undefined }]);
    const entry = await site.catalog.get(NAME);
    expect(entry).toMatchObject({
      task: 'chat',
      ownedBy: 'someone',
      license: 'mit',
      contextLength: 512,
      added: true,
      features: [],
    });
    expect(ggufVariant(entry)).toMatchObject({
      id: 'llamacpp-Q4_K_M',
      quantization: 'Q4_K_M',
      parts: ['Tiny-Q4_K_M.gguf'],
      source: { kind: 'hub', repository: NAME, paths: ['Tiny-Q4_K_M.gguf'] },
      bytes: FILES['Tiny-Q4_K_M.gguf'].length,
      memory: { weightBytes: 362_496, tokenBytes: 2 * 2 * 2 * 16 * 4 + 64 },
    });
  });

  test('is installed with the hash that the hub states', async () => {
    const site = await openEngine(largeFiles(NAME, FILES));
    const { installer, catalog } = site;
    await add(site, `${NAME}:Q8_0`);
    await installer.install(NAME, NEVER);
    const variant = ggufVariant(await catalog.get(NAME));
    expect(variant.installed?.files).toMatchObject([
      { path: 'Tiny-Q8_0.gguf', sha256: expect.any(String) },
    ]);
    const stored = await storedBytes(site, NAME, variant, 'Tiny-Q8_0.gguf');
    expect(stored).toEqual(FILES['Tiny-Q8_0.gguf']);
  });

  test('may be added twice: its second file has an id of its own', async () => {
    const site = await openEngine(largeFiles(NAME, FILES));
    expect(await add(site, `${NAME}:q8_0`)).toBe(NAME);
    expect(await add(site, NAME)).toBe(NAME);
    const second = `${NAME}:Tiny-F16.gguf`;
    expect(await add(site, second)).toBe(second);
    expect(await add(site, `${NAME}:F16`)).toBe(second);
    expect(await add(site, `${NAME}:Tiny-Q8_0`)).toBe(NAME);
    await site.installer.remove(NAME);
    expect(await add(site, `${NAME}:F16`)).toBe(second);
  });

  test('gives the same model one id when two ask at the same time', async () => {
    const site = await openEngine(largeFiles(NAME, FILES));
    const asked = ['Q8_0', 'F16', 'Q8_0', 'F16'].map((file) => add(site, `${NAME}:${file}`));
    const [first, second, ...again] = await Promise.all(asked);
    expect(again).toEqual([first, second]);
    expect(first).not.toBe(second);
  });

  test('with a split file is added with all of its parts', async () => {
    const [one, two] = splitTinyGguf(2);
    if (!one || !two) throw new Error('There are two parts.');
    const parts = { 'q/a-00001-of-00002.gguf': one, 'q/a-00002-of-00002.gguf': two };
    const site = await openEngine(largeFiles(NAME, parts));
    await add(site, NAME);
    await site.installer.install(NAME, NEVER);
    const { memory, installed, ...variant } = ggufVariant(await site.catalog.get(NAME));
    expect(variant.parts).toEqual(Object.keys(parts));
    expect(installed?.files.map(({ path }) => path)).toEqual(Object.keys(parts));
    expect(memory?.weightBytes).toBe(362_496);
  });

  test('with files of two engines is one model with two variants', async () => {
    const shape = {
      model_type: 'llama',
      quantization: 'q4f16_1',
      model_config: { hidden_size: 64 },
    };
    const site = await openEngine({
      ...largeFiles(NAME, FILES),
      [`/${NAME}/resolve/c0ffee00/mlc-chat-config.json`]: sendsJson(shape),
      [`/${REPOSITORY}/resolve/main/mlc-chat-config.json`]: sendsJson(shape),
    });
    expect(await add(site, NAME)).toBe(NAME);
    const entry = await site.catalog.get(NAME);
    expect(entry?.variants.map(({ id }) => id)).toEqual(['webllm-q4f16_1', 'llamacpp-Q4_K_M']);
  });

  test('with an MLC model that nothing here can run is added as its GGUF file', async () => {
    const site = await openEngine({
      ...largeFiles(NAME, FILES),
      [`/${NAME}/resolve/c0ffee00/mlc-chat-config.json`]: sendsJson({
        model_type: 'none',
        quantization: 'q4f16_1',
        model_config: {},
      }),
    });
    await add(site, NAME);
    expect(ggufVariant(await site.catalog.get(NAME)).quantization).toBe('Q4_K_M');
  });

  test.each([
    [{ 'general.architecture': { string: 'llama9' } }, /the architecture "llama9"/],
    [{ 'tokenizer.ggml.pre': { string: 'other' } }, /the tokenizer "gpt2\/other"/],
    [
      { 'tokenizer.chat_template': { string: '{% oops %}' } },
      /its chat template uses the tag {% oops %}/,
    ],
    [
      { 'tokenizer.chat_template': { string: '{{ messages | oops }}' } },
      /chat template failed: .*oops/,
    ],
    [
      {
        'tokenizer.chat_template': {
          string: '{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}',
        },
      },
      /chat template failed: It takes too many steps/,
    ],
    [
      { 'tokenizer.chat_template': { string: `${' '.repeat(300_000)}x` } },
      /chat template cannot be parsed: it has more than 2000 spaces/,
    ],
  ])('with %j is refused, and nothing of it is kept', async (metadata, message) => {
    const site = await openEngine(largeFiles(NAME, { 'a.gguf': tinyGguf({ metadata }) }));
    const error = { data: { status: 400, message: expect.stringMatching(message) } };
    await expect(add(site, NAME)).rejects.toMatchObject(error);
    expect(await site.catalog.get(NAME)).toBeUndefined();
  });

  test('with a template that refuses a conversation, or with none, is added', async () => {
    const refusing = "{{ raise_exception('no') }}";
    const site = await openEngine({
      ...largeFiles('o/refusing', {
        'a.gguf': tinyGguf({ metadata: { 'tokenizer.chat_template': { string: refusing } } }),
      }),
      ...largeFiles('o/without', {
        'a.gguf': tinyGguf({ metadata: { 'tokenizer.chat_template': undefined } }),
      }),
    });
    expect(await add(site, 'o/refusing')).toBe('o/refusing');
    expect(await add(site, 'o/without')).toBe('o/without');
  });

  test('with a file that is cut is refused', async () => {
    const bytes = tinyGguf();
    const site = await openEngine(largeFiles(NAME, { 'a.gguf': bytes.subarray(0, -100) }));
    await expect(add(site, NAME)).rejects.toThrow(
      `${NAME}/a.gguf is truncated: it has ${bytes.length - 100} bytes instead of ${bytes.length}.`,
    );
  });

  test('without a GGUF file, or without the one that is asked for, is refused', async () => {
    const site = await openEngine({
      ...largeFiles(NAME, FILES),
      ...largeFiles('o/other', { 'a.safetensors': Buffer.from('x') }),
    });
    await expect(add(site, 'o/other')).rejects.toThrow('it has no mlc-chat-config.json or .gguf');
    await expect(add(site, 'o/other:a.gguf')).rejects.toThrow('o/other has no GGUF file.');
    await expect(add(site, `${NAME}:Q2_K`)).rejects.toThrow(`${NAME} has no GGUF file 'Q2_K'.`);
  });
});

describe('a URL', () => {
  test.each([
    ['sends parts', true],
    ['ignores ranges', false],
  ])('of a server that %s: only the beginning is received', async (_, ranges) => {
    const traffic = noTraffic();
    const bytes = Buffer.concat([tinyGguf(), Buffer.alloc(64 * MIB)]);
    const site = await openEngine({ '/m/Tiny%20One.gguf': sendsFile({ bytes, ranges }, traffic) });
    const url = `${site.server.url}m/Tiny%20One.gguf`;
    expect(await add(site, url)).toBe('Tiny One');
    await vi.waitFor(() => expect(traffic.sent).toBeLessThan(32 * MIB));
    expect(ggufVariant(await site.catalog.get('Tiny One'))).toMatchObject({
      source: { kind: 'url', urls: [url] },
      parts: ['Tiny One.gguf'],
      bytes: bytes.length,
    });
  });

  test('is installed, and downloaded again if it is damaged', async () => {
    const bytes = tinyGguf();
    const site = await openEngine({ '/a.gguf': sendsFile({ bytes, etag: '"v1"' }) });
    const { installer, weights, catalog, server } = site;
    const id = await add(site, `${server.url}a.gguf`);
    const installed = await installer.install(id, NEVER);
    const { revision } = installed.installation;
    await weights.put(id, revision, 'a.gguf', { blob: new Blob(['damaged']), sha256: 'other' });
    const read = await installer.loadVerified(installed, (file) => file('a.gguf'), NEVER, vi.fn());
    expect(await bytesOf(read)).toEqual(bytes);
    expect(ggufVariant(await catalog.get(id)).installed?.files).toEqual([
      { path: 'a.gguf', size: bytes.length, url: `${server.url}a.gguf` },
    ]);
  });

  test('has another revision when the file has changed', async () => {
    const plan = async (etag: string) => {
      const site = await openEngine({ '/a.gguf': sendsFile({ bytes: tinyGguf(), etag }) });
      const id = await add(site, `${site.server.url}a.gguf`);
      return (await site.installer.install(id, NEVER)).installation.revision;
    };
    expect(await plan('"v1"')).not.toBe(await plan('"v2"'));
  });

  test('of a file of another model with the same name has an id of its own', async () => {
    const site = await openEngine({
      '/a/model.gguf': sendsFile({ bytes: tinyGguf() }),
      '/b/model.gguf': sendsFile({ bytes: tinyGguf({ seed: 2 }) }),
    });
    expect(await add(site, `${site.server.url}a/model.gguf`)).toBe('model');
    const other = await add(site, `${site.server.url}b/model.gguf`);
    expect(other).toMatch(/^model-[0-9a-f]{8}$/);
    expect(await add(site, `${site.server.url}b/model.gguf`)).toBe(other);
  });

  test('of one part stands for all parts', async () => {
    const [one, two] = splitTinyGguf(2);
    if (!one || !two) throw new Error('There are two parts.');
    const site = await openEngine({
      '/part-00001-of-00002.gguf?k=1': sendsFile({ bytes: one }),
      '/part-00002-of-00002.gguf?k=1': sendsFile({ bytes: two }),
    });
    const id = await add(site, `${site.server.url}part-00002-of-00002.gguf?k=1`);
    expect(id).toBe('part');
    const { installation } = await site.installer.install(id, NEVER);
    expect(installation.files.map(({ path }) => path)).toEqual([
      'part-00001-of-00002.gguf',
      'part-00002-of-00002.gguf',
    ]);
    delete site.server.answers['/part-00002-of-00002.gguf?k=1'];
    await expect(
      add(site, `${site.server.url}part-00001-of-00002.gguf?k=1&again`),
    ).rejects.toMatchObject({ data: { status: 404 } });
  });

  test('without a file, of a server that fails, or without a server is an error', async () => {
    const site = await openEngine({
      '/b.gguf': fails(503),
      '/c.gguf': sends('<html>hello there</html>'),
    });
    const adding = (url: string) => expect(add(site, url)).rejects;
    const { url } = site.server;
    await adding(`${url}a.gguf`).toMatchObject({ data: { status: 404 } });
    await adding(`${url}b.gguf`).toThrow(`${url}b.gguf cannot be read: its server answered 503.`);
    await adding(`${url}c.gguf`).toThrow(`${url}c.gguf is not a GGUF file.`);
    const nowhere = await closedServer();
    await adding(`${nowhere}a.gguf`).toThrow(/cannot be read from this page: .*\(CORS\)/);
  });
});
