import { ApiError, serverError } from '../../core/errors/errors.ts';
import { fetchServed } from '../../core/site/fetch-served.ts';
import { INIT_AGAIN, NOT_FETCHED, notServed } from '../../core/site/served-file.ts';

/** How every WebAssembly file begins. */
const HEADER = [0, 97, 115, 109, 1, 0, 0, 0];

/**
 * Fetches a file of this site that a worker needs.
 *
 * @throws ApiError 500 that says what is wrong with it
 */
export async function siteFile(url: URL): Promise<Uint8Array<ArrayBuffer>> {
  const file = await fetchServed(url).catch(() => undefined);
  if (!file) throw notFetched(url);
  const problem = notServed(file);
  if (problem !== undefined) throw siteFault(url, problem);
  const { bytes } = file;
  if (bytes.length === 0) throw siteFault(url, `is empty. ${INIT_AGAIN}`);
  return bytes;
}

/**
 * Fetches a WebAssembly file of this site.
 *
 * @throws ApiError 500 that says what is wrong with it, or that it may not run
 */
export async function wasmFile(url: URL): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await siteFile(url);
  if (!isWhole(bytes)) throw siteFault(url, `is damaged or cut off. ${INIT_AGAIN}`);
  try {
    // A policy forbids all modules. This is an empty one.
    await WebAssembly.compile(Uint8Array.from(HEADER));
  } catch {
    throw siteFault(
      url,
      "may not run: a content security policy must allow script-src 'wasm-unsafe-eval', also for the scripts beside it.",
    );
  }
  return bytes;
}

/**
 * Why a WebAssembly file of this site could not be started.
 *
 * @param error - what was thrown
 */
export async function wasmFault(url: URL, error: unknown): Promise<Error> {
  // The file was looked at already.
  if (error instanceof ApiError) return error;
  try {
    const bytes = await wasmFile(url);
    if (!WebAssembly.validate(bytes)) return siteFault(url, `is damaged. ${INIT_AGAIN}`);
  } catch (found) {
    if (found instanceof ApiError) return found;
  }
  if (error instanceof Error) return error;
  return serverError('engine_error', `${url.href} does not start: ${String(error)}`);
}

/** Whether the sections of a module end where the file ends. */
function isWhole(bytes: Uint8Array): boolean {
  if (HEADER.some((byte, at) => bytes[at] !== byte)) return false;
  let at = HEADER.length;
  while (at < bytes.length) {
    let [size, shift, byte] = [0, 0, 0];
    // Behind the kind of the section, its size is a LEB128 number.
    do {
      byte = bytes[++at] ?? 0;
      size += (byte & 0x7f) * 2 ** shift;
      shift += 7;
    } while (byte & 0x80);
    at += 1 + size;
  }
  return at === bytes.length;
}

/** A file of this site cannot be fetched. The network may be back for the next request. */
export function notFetched(url: URL): ApiError {
  return new ApiError({ ...siteFault(url, NOT_FETCHED).data, retryable: true });
}

/** What is wrong with a file of this site. */
export function siteFault({ href }: URL, problem: string): ApiError {
  return serverError('site_file_broken', `${href} ${problem}`);
}
