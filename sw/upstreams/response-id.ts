import { passing } from '../http/passing-body.ts';

/** An upstream's response must have its id within this many bytes from its beginning. */
const MOST = 64 * 1024;

/** The id in a whole answer, or in the first event of a stream. Inside a text, the quotation marks would be escaped. */
const ID = /"id"\s*:\s*"(resp_[\w-]{1,256})"/;

/**
 * Passes the body on unchanged, and tells the id of the response in it.
 *
 * @param onId - called with the id before its bytes are passed on
 */
export function tellingId(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  onId: (id: string) => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const decoder = new TextDecoder('latin1');
  let text: string | undefined = '';
  return passing(body, {
    onBytes(bytes) {
      if (text === undefined) return;
      text += decoder.decode(bytes);
      const [, id] = ID.exec(text) ?? [];
      if (id !== undefined) onId(id);
      if (id !== undefined || text.length > MOST) text = undefined;
    },
  });
}
