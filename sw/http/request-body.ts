/** Bodies that are read before anyone asks for them. */
const ahead = new WeakMap<Request, Promise<ArrayBuffer>>();

/** Begins to read a request's body, if it has one that is read as bytes. Nothing is decided by it. */
export function readAhead(request: Request): void {
  if (request.method !== 'POST' || isForm(request)) return;
  const bytes = request.arrayBuffer();
  // Whoever asks for them gets the error.
  bytes.catch(() => undefined);
  ahead.set(request, bytes);
}

/** The body of a request, which may be read already. */
export function bytesOf(request: Request): Promise<ArrayBuffer> {
  return ahead.get(request) ?? request.arrayBuffer();
}

export function isForm({ headers }: Pick<Request, 'headers'>): boolean {
  return /^multipart\/form-data/i.test(headers.get('content-type') ?? '');
}
