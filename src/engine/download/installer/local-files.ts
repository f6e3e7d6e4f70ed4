import { serverError } from '../../../core/errors/errors.ts';
import { messageOf } from '../../../core/text/message-of.ts';

/** Fetches a file, or the range that the headers ask for. */
export type FetchFile = (url: string, init: RequestInit) => Promise<Response>;

const SCHEME = 'local:';

/** The URL, in an installation, of a file that the visitor picked. */
export function localUrl(path: string): string {
  return SCHEME + encodeURIComponent(path);
}

/**
 * Files that the visitor picked, while they are copied into the weight store. They are read like files on
 * a server that sends parts.
 */
export class LocalFiles {
  /** Model id → its files by path. */
  readonly #files = new Map<string, ReadonlyMap<string, File>>();

  /** Offers the files while the work is done. */
  async during<T>(model: string, files: readonly File[], work: () => Promise<T>): Promise<T> {
    this.#files.set(model, new Map(files.map((file) => [localUrl(file.name), file] as const)));
    try {
      return await work();
    } finally {
      this.#files.delete(model);
    }
  }

  /** Returns a fetch for the files of a model, whether the visitor picked them or a server has them. */
  fetchFor(model: string): FetchFile {
    return async (url, init) => {
      if (!url.startsWith(SCHEME)) return fetch(url, init);
      const file = this.#files.get(model)?.get(url);
      if (!file) throw notAtHand(decodeURIComponent(url.slice(SCHEME.length)));
      return answer(file, init);
    };
  }
}

/** Answers as a server would. The modification date names the version of the file. */
function answer(file: File, { headers, signal }: RequestInit): Response {
  const range = new Headers(headers).get('range') ?? '';
  const start = Number(/^bytes=(\d+)-$/.exec(range)?.[1] ?? 0);
  return new Response(readable(file, start, signal ?? undefined), {
    status: start > 0 ? 206 : 200,
    headers: {
      'last-modified': new Date(file.lastModified).toUTCString(),
      ...(start > 0 && { 'content-range': `bytes ${start}-${file.size - 1}/${file.size}` }),
    },
  });
}

/** A file that was changed or deleted fails at once: reading it again would not help. */
function readable(
  file: File,
  start: number,
  signal: AbortSignal | undefined,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = file.slice(start).stream().getReader();
  const cancel = (reason: unknown) => reader.cancel(reason);
  return new ReadableStream({
    start(controller) {
      const abort = () => {
        controller.error(signal?.reason);
        void cancel(signal?.reason).catch(() => undefined);
      };
      signal?.addEventListener('abort', abort, { once: true });
    },
    async pull(controller) {
      const read = await reader.read().catch((error: unknown) => {
        const why = messageOf(error);
        throw serverError('model_unusable', `${file.name} cannot be read any more: ${why}`);
      });
      if (signal?.aborted) return;
      if (read.done) controller.close();
      else controller.enqueue(read.value);
    },
    cancel,
  });
}

function notAtHand(name: string) {
  return serverError(
    'model_unusable',
    `${name} came from this device and is not complete in this browser's storage: it was being added ` +
      'when that ended, or it was damaged. Add the file once more; the part that is stored is kept.',
  );
}
