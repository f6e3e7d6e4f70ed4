import { ApiError, serverError } from '../../core/errors/errors.ts';

const HOW = 'Run `npx slashv1 init` with the folder that is served there.';

/**
 * Fetches a file of this site that a worker needs.
 *
 * @throws ApiError 500 that says what is wrong with it
 */
export async function siteFile(url: URL): Promise<ArrayBuffer> {
  const fault = (problem: string) => serverError('engine_error', `${url.href} ${problem}`);
  const response = await fetch(url).catch(() => undefined);
  if (!response) throw fault('cannot be fetched: the network or the server fails.');
  const { status, ok, headers } = response;
  if (status === 404 || status === 410) throw fault(`is missing. ${HOW}`);
  if (!ok) throw fault(`cannot be had: its server answers ${status}.`);
  if (/^text\/html/i.test(headers.get('content-type') ?? '')) {
    throw fault(`is missing: the server sends a page in its place. ${HOW}`);
  }
  const bytes = await response.arrayBuffer().catch(() => undefined);
  if (!bytes) throw fault('cannot be fetched: the network or the server fails.');
  if (bytes.byteLength === 0) throw fault(`is empty. ${HOW}`);
  return bytes;
}

/**
 * Why a WebAssembly file of this site could not be started.
 *
 * @param error - what was thrown
 */
export async function wasmFault(url: URL, error: unknown): Promise<Error> {
  const fault = (problem: string) => serverError('engine_error', `${url.href} ${problem}`);
  try {
    const bytes = await siteFile(url);
    if (!WebAssembly.validate(bytes)) return fault(`is damaged or cut off. ${HOW}`);
    // A policy forbids all modules: this is an empty one.
    await WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]));
  } catch (found) {
    if (found instanceof ApiError) return found;
    return fault(
      "may not run: a content security policy must allow script-src 'wasm-unsafe-eval', also for the scripts beside it.",
    );
  }
  return error instanceof Error ? error : fault(`does not start: ${String(error)}`);
}
