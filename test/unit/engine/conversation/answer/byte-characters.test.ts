import { expect, test } from 'vitest';
import {
  fromByteCharacters,
  toByteCharacters,
} from '../../../../../src/engine/conversation/answer/byte-characters.ts';

const ALL = Uint8Array.from({ length: 256 }, (_, byte) => byte);

test('each byte has a character of its own, from which it comes back', () => {
  const text = toByteCharacters(ALL);
  expect(new Set(text).size).toBe(256);
  expect(fromByteCharacters(text)).toEqual(ALL);
});

test('the characters are those of GPT-2', () => {
  const bytes = new TextEncoder().encode(' é\n');
  expect(toByteCharacters(bytes)).toBe('ĠÃ©Ċ');
});

test('a character that stands for no byte is taken as UTF-8', () => {
  expect(fromByteCharacters('a€')).toEqual(new TextEncoder().encode('a€'));
});
