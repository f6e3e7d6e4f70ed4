import { serverError } from '../../core/errors/errors.ts';

/**
 * Fetches a file of this site that a worker needs.
 *
 * @throws ApiError 500 if it cannot be fetched
 */
export async function fetchFile(url: URL): Promise<ArrayBuffer> {
  const response = await fetch(url).catch(() => undefined);
  if (response?.ok) return response.arrayBuffer();
  const why = response ? `HTTP ${response.status}` : 'the network is down';
  throw serverError('engine_error', `${url.href} could not be fetched: ${why}.`);
}
