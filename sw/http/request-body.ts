import { readAll } from '../../src/core/async/read-all.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** Bodies that are read before anyone asks for them. */
const ahead = new WeakMap<Request, Promise<Bytes>>();

/** Begins to read a request's body, if it has one that is read as bytes. Nothing is decided by it. */
export function readAhead(request: Request): void {
  if (request.method !== 'POST' || isForm(request)) return;
  const bytes = read(request);
  // Whoever asks for them gets the error.
  bytes.catch(() => undefined);
  ahead.set(request, bytes);
}

/** The body of a request, which may be read already. */
export function bytesOf(request: Request): Promise<Bytes> {
  return ahead.get(request) ?? read(request);
}

export function isForm({ headers }: Pick<Request, 'headers'>): boolean {
  return /^multipart\/form-data/i.test(headers.get('content-type') ?? '');
}

async function read(request: Request): Promise<Bytes> {
  // Chromium needs two thirds of the time that `arrayBuffer()` takes. Firefox has no streams of requests.
  return request.body ? readAll(request.body) : new Uint8Array(await request.arrayBuffer());
}
