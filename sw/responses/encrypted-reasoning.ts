import { invalidRequest } from '../../src/core/errors/errors.ts';
import { base64, fromBase64 } from '../http/base64.ts';

/** What a model thought, as clients carry it from turn to turn: base64 of UTF-8. There is nothing to hide. */
export function encodeReasoning(text: string): string {
  return base64(new TextEncoder().encode(text));
}

/** @throws ApiError 400 for what another server encrypted */
export function decodeReasoning(encoded: string, param: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(fromBase64(encoded));
  } catch {
    throw invalidRequest(`'${param}' was not made by this server.`, param);
  }
}
