import { describe, expect, test } from 'vitest';
import type { CatalogEntry } from '../../../../../../src/core/catalog/catalog-entry.ts';
import type { Speech } from '../../../../../../src/core/catalog/speech.ts';
import { onnxVoices } from '../../../../../../src/engine/onnx/speech/voices/onnx-voices.ts';
import { variantOf } from '../../../../support/entries.ts';

const ENTRIES = onnxVoices();

function speechOf(entry: CatalogEntry): Speech {
  if (entry.task !== 'speech') throw new Error(`${entry.id} does not speak.`);
  return entry.speech;
}

test('each model is listed once, with all families except Piper, which packs use', () => {
  const ids = ENTRIES.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const families = new Set(ENTRIES.map((entry) => speechOf(entry).family));
  expect(families).toEqual(new Set(['kokoro', 'vits', 'speecht5', 'supertonic']));
});

describe.each(ENTRIES.map((entry) => [entry.id, entry] as const))('%s', (id, entry) => {
  test('has an owner, a size, a licence and a sample rate', () => {
    expect(entry.ownedBy).toBe(id.split('/')[0]);
    expect(variantOf(entry).bytes).toBeGreaterThan(1e6);
    expect(entry.license).toMatch(/^(apache-2\.0|mit|openrail|cc-by-nc-4\.0)$/);
    expect([16_000, 24_000, 44_100]).toContain(speechOf(entry).sampleRate);
  });

  test('has its graph among its files', () => {
    const variant = variantOf(entry);
    if (variant.engine !== 'onnx' || variant.source.kind !== 'hub') throw new Error('No graph.');
    const paths = variant.source.files.flatMap((part) => part.paths);
    const { graph } = variant;
    expect(paths.some((path) => path === graph || path === `${graph}*`)).toBe(true);
  });

  test('has a voice for each of OpenAI’s names', () => {
    const { voices, aliases = {} } = speechOf(entry);
    expect(Object.keys(aliases)).toContain('alloy');
    const ids = voices.map((voice) => voice.id);
    for (const voice of Object.values(aliases)) expect(ids).toContain(voice);
  });

  test('has voices with different ids, whose languages exist', () => {
    const { voices } = speechOf(entry);
    expect(voices.length).toBeGreaterThan(0);
    expect(new Set(voices.map((voice) => voice.id)).size).toBe(voices.length);
    const languages = voices.flatMap((voice) => voice.languages);
    expect(Intl.getCanonicalLocales(languages)).toEqual([...new Set(languages)]);
    const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
    for (const language of languages) expect(names.of(language)).toBeDefined();
  });
});
