/** Bytes, with `toBase64` in browsers of 2025 and later. */
type Encodable = Uint8Array & { toBase64?: () => string };

/** Bytes as base64. */
export function base64(bytes: Encodable): string {
  return (
    bytes.toBase64?.() ?? btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  );
}
