import { describe, expect, test } from 'vitest';
import { sees } from '../../../../../src/core/catalog/catalog-entry.ts';
import type { Field } from '../../../../support/gguf/gguf-bytes.ts';
import { tinyGguf } from '../../../../support/gguf/tiny-gguf.ts';
import { tinyProjector } from '../../../../support/sight/tiny-projector.ts';
import { tinySight, type Sight } from '../../../../support/sight/tiny-sight.ts';
import { add, addFiles, ggufVariant, storedBytes } from '../../../support/adding.ts';
import { openEngine } from '../../../support/servers/engine-site.ts';
import { largeFiles } from '../../../support/servers/hub-server.ts';
import { NEVER } from '../../../support/never.ts';

const NAME = 'someone/Tiny-Sees-GGUF';
const MODEL = tinyGguf();
const PROJECTOR = tinyProjector();

function hub(projectors: Record<string, Buffer>) {
  return openEngine(largeFiles(NAME, { 'Tiny-F32.gguf': MODEL, ...projectors }));
}

async function added(projectors: Record<string, Buffer>) {
  const site = await hub(projectors);
  expect(await add(site, NAME)).toBe(NAME);
  const entry = await site.catalog.get(NAME);
  if (!entry) throw new Error('It was not added.');
  return { site, entry, variant: ggufVariant(entry) };
}

describe('a repository with a projector', () => {
  test('is a model that sees, and the projector is a part of it', async () => {
    const { site, entry, variant } = await added({ 'mmproj-Tiny-F32.gguf': PROJECTOR });
    const blind = await added({});
    expect(sees(entry)).toBe(true);
    expect(sees(blind.entry)).toBe(false);
    expect(variant).toMatchObject({
      parts: ['Tiny-F32.gguf'],
      projector: 'mmproj-Tiny-F32.gguf',
      id: blind.variant.id,
      bytes: MODEL.length + PROJECTOR.length,
    });
    const [seeing, alone] = [variant.memory, blind.variant.memory];
    expect(seeing?.weightBytes).toBe((alone?.weightBytes ?? 0) + 8 * 8 * 4);
    expect(seeing?.bufferBytes).toBeGreaterThan(alone?.bufferBytes ?? 0);

    await site.installer.install(NAME, NEVER);
    const installed = ggufVariant(await site.catalog.get(NAME));
    const stored = await storedBytes(site, NAME, installed, 'mmproj-Tiny-F32.gguf');
    expect(stored).toEqual(PROJECTOR);
    const after = await site.catalog.get(NAME);
    expect(after && sees(after)).toBe(true);
  });

  test('gets it with a file that is named, too', async () => {
    const site = await hub({ 'mmproj-Tiny-F32.gguf': PROJECTOR });
    await add(site, `${NAME}:Tiny-F32.gguf`);
    expect(ggufVariant(await site.catalog.get(NAME)).projector).toBe('mmproj-Tiny-F32.gguf');
  });

  test('gets the one in Q8_0, else the one in F16', async () => {
    const [f32, f16, q8] = ['F32', 'f16', 'Q8_0'].map((type) => `mmproj-Tiny-${type}.gguf`);
    const files = { [`${f32}`]: PROJECTOR, [`${f16}`]: PROJECTOR };
    expect((await added(files)).variant.projector).toBe(f16);
    expect((await added({ ...files, [`${q8}`]: PROJECTOR })).variant.projector).toBe(q8);
  });

  test('for sound is used without it', async () => {
    const sound = tinyProjector({ 'clip.has_vision_encoder': { bool: false } });
    const { entry, variant } = await added({ 'mmproj-Tiny-F32.gguf': sound });
    expect(sees(entry)).toBe(false);
    expect(variant.projector).toBeUndefined();
    expect(variant.bytes).toBe(MODEL.length);
  });

  test.each<[fault: string, file: Buffer]>([
    ['the type "future"', tinyProjector({ 'clip.projector_type': { string: 'future' } })],
    ['not a projector', tinyProjector({ 'general.architecture': { string: 'llama' } as Field })],
    ['is truncated', PROJECTOR.subarray(0, -32)],
    ['is not a GGUF file', Buffer.alloc(64)],
  ])('is refused before any download: %s', async (fault, file) => {
    const site = await hub({ 'mmproj-Tiny-F32.gguf': file });
    await expect(add(site, NAME)).rejects.toThrow(fault);
  });
});

test.each<Sight>(['qwen2.5vl_merger', 'qwen3vl_merger', 'gemma4v', 'gemma4v of E2B'])(
  'a model with a projector %s is one that sees',
  async (sight) => {
    const { model, projector } = tinySight(sight);
    const files = {
      'Sight-F32.gguf': Buffer.from(model),
      'mmproj-F32.gguf': Buffer.from(projector),
    };
    const site = await openEngine(largeFiles(NAME, files));
    const entry = await site.catalog.get(await add(site, NAME));
    expect(entry && sees(entry)).toBe(true);
    expect(ggufVariant(entry).bytes).toBe(model.length + projector.length);
  },
);

test('files that are picked together are a model and its projector', async () => {
  const site = await openEngine();
  const files = [
    new File([new Uint8Array(PROJECTOR)], 'mmproj-any.gguf'),
    new File([new Uint8Array(MODEL)], 'tiny.gguf'),
  ];
  const id = await addFiles(site, files);
  const entry = await site.catalog.get(id);
  expect(id).toBe('tiny');
  expect(ggufVariant(entry)).toMatchObject({ parts: ['tiny.gguf'], projector: 'mmproj-any.gguf' });
  expect(entry && sees(entry)).toBe(true);
  expect(await storedBytes(site, id, ggufVariant(entry), 'mmproj-any.gguf')).toEqual(PROJECTOR);
});
