const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const LENGTH = 24;

/** An id as OpenAI makes it: `call_` and 24 letters or digits. */
export function newCallId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(LENGTH));
  return `call_${Array.from(bytes, (byte) => DIGITS.charAt(byte % DIGITS.length)).join('')}`;
}
