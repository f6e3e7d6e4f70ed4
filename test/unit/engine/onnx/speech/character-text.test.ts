import { expect, test } from 'vitest';
import { characterText } from '../../../../../src/engine/onnx/speech/character-text.ts';

const small = (character: string) => /[a-zäöüß]/.test(character.toLowerCase());

test('a text stays as it is but for the form of its characters', () => {
  const { normalize, phonemes } = characterText('de', small);
  const written = 'Schöne Grüße – „bis bald“!'.normalize('NFD');
  expect(normalize(written)).toBe('Schöne Grüße – „bis bald“!');
  expect(phonemes('Schöne Grüße')).toBe('Schöne Grüße');
});

test.each([
  ['en', 'nineteen eighty-four, ten euros'],
  ['en-GB', 'nineteen eighty-four, ten euros'],
])('English has its figures in words (%s)', (language, said) => {
  expect(characterText(language, small).normalize('1984, €10')).toBe(said);
});

test('figures of other languages and foreign letters are refused, pictures and marks are not', () => {
  const { normalize } = characterText('de', small);
  expect(normalize('Ja 👍 … !')).toBe('Ja 👍 … !');
  expect(() => normalize('Um 7 nach Łódź')).toThrow('cannot speak: “7”, “Ł”, “ó”, “ź”.');
  expect(() => normalize('0123456789 я')).toThrow(/“9” and more\.$/);
});

test('a mark is put around each piece', () => {
  const { phonemes } = characterText('es', small, (text) => `<es>${text}</es>`);
  expect(phonemes('hola')).toBe('<es>hola</es>');
});
