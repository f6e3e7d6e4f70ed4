/**
 * GPT-2's encoding of bytes as visible characters, which vocabularies are written in: invisible bytes
 * become characters above U+00FF.
 */
const CHARACTERS = byteCharacters();
const BYTES = new Map(CHARACTERS.map((character, byte) => [character, byte]));
const encoder = new TextEncoder();

/** One character for each byte. */
export function toByteCharacters(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => CHARACTERS[byte]).join('');
}

/** The bytes that the text stands for. Characters that stand for no byte are taken as UTF-8. */
export function fromByteCharacters(text: string): Uint8Array {
  const bytes = Array.from(text, (character) => {
    const byte = BYTES.get(character);
    return byte === undefined ? [...encoder.encode(character)] : [byte];
  });
  return Uint8Array.from(bytes.flat());
}

function byteCharacters(): string[] {
  let next = 0x100;
  return Array.from({ length: 0x100 }, (_, byte) => {
    const isVisible = (byte > 0x20 && byte < 0x7f) || (byte > 0xa0 && byte !== 0xad);
    return String.fromCodePoint(isVisible ? byte : next++);
  });
}
