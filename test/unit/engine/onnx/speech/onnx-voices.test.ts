import { describe, expect, test } from 'vitest';
import { onnxVoices } from '../../../../../src/engine/onnx/speech/onnx-voices.ts';

const ENTRIES = onnxVoices();

test('each model is listed once, with all families except Piper, which packs use', () => {
  const ids = ENTRIES.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const families = new Set(ENTRIES.map(({ speech }) => speech?.family));
  expect(families).toEqual(new Set(['kokoro', 'vits', 'speecht5', 'supertonic']));
});

describe.each(ENTRIES.map((entry) => [entry.id, entry] as const))('%s', (id, entry) => {
  test('has an owner, a size, a licence and a sample rate', () => {
    expect(entry.ownedBy).toBe(id.split('/')[0]);
    expect(entry.bytes).toBeGreaterThan(1e6);
    expect(entry.license).toMatch(/^(apache-2\.0|mit|openrail|cc-by-nc-4\.0)$/);
    expect([16_000, 24_000, 44_100]).toContain(entry.speech?.sampleRate);
  });

  test('has voices with different ids, whose languages exist', () => {
    const voices = entry.speech?.voices ?? [];
    expect(voices.length).toBeGreaterThan(0);
    expect(new Set(voices.map((voice) => voice.id)).size).toBe(voices.length);
    const languages = voices.flatMap((voice) => voice.languages);
    expect(Intl.getCanonicalLocales(languages)).toEqual([...new Set(languages)]);
    const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
    for (const language of languages) expect(names.of(language)).toBeDefined();
  });
});
