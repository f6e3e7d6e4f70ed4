import { passing } from '../http/passing-body.ts';

/** Where an upstream's response must have begun with its id, bytes. */
const MOST = 64 * 1024;

/** Of the whole answer, or of the first event of a stream. In a text, the quotation marks would be escaped. */
const ID = /"id"\s*:\s*"(resp_[\w-]{1,256})"/;

/**
 * The same body.
 *
 * @param onId - called with the id of the response in it, before its bytes are passed on
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
