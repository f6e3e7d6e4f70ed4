/** Bytes, with `toBase64` in browsers of 2025 and later. */
type Encodable = Uint8Array & { toBase64?: () => string };

/** Decodes base64. @throws DOMException if the text is no base64 */
export function fromBase64(encoded: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(encoded), (char) => char.charCodeAt(0));
}

/** Bytes as base64. */
export function base64(bytes: Encodable): string {
  return (
    bytes.toBase64?.() ?? btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  );
}
