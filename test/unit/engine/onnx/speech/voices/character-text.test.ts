import { expect, test } from 'vitest';
import { characterText } from '../../../../../../src/engine/onnx/speech/voices/character-text.ts';

const small = (character: string) => /[a-zäöüß]/.test(character.toLowerCase());

test('a text is unchanged except for its Unicode normalization', () => {
  const { normalize, symbols } = characterText('de', small);
  const written = 'Schöne Grüße – „bis bald“!'.normalize('NFD');
  expect(normalize(written)).toBe('Schöne Grüße – „bis bald“!');
  expect(symbols('Schöne Grüße')).toBe('Schöne Grüße');
});

test.each([
  ['en', 'nineteen eighty-four, ten euros'],
  ['en-GB', 'nineteen eighty-four, ten euros'],
])('English figures are written in words (%s)', (language, said) => {
  expect(characterText(language, small).normalize('1984, €10')).toBe(said);
});

test('unknown figures and letters are refused, unknown emoji and punctuation are not', () => {
  const { normalize } = characterText('de', small);
  expect(normalize('Ja 👍 … !')).toBe('Ja 👍 … !');
  expect(() => normalize('Um 7 nach Łódź')).toThrow('cannot speak: “7”, “Ł”, “ó”, “ź”.');
  expect(() => normalize('0123456789 я')).toThrow(/“9” and more\.$/);
});

test('tags are put around each piece', () => {
  const { symbols } = characterText('es', small, (text) => `<es>${text}</es>`);
  expect(symbols('hola')).toBe('<es>hola</es>');
});
