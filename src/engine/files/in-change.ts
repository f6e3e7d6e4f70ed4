import { firstCause, isNamed } from '../../core/database/transaction-cause.ts';
import { ApiError, serverError } from '../../core/errors/errors.ts';
import { ALL, type FilesDatabase, type FilesTransaction } from './files-database.ts';

/**
 * Makes a change in one transaction. If `make` throws, nothing changes.
 *
 * @throws ApiError 500 `storage_full`; what `make` throws
 */
export async function inChange<T>(
  open: () => Promise<FilesDatabase>,
  make: (transaction: FilesTransaction) => Promise<T>,
): Promise<T> {
  const transaction = (await open()).transaction(ALL, 'readwrite');
  const making = make(transaction).catch((error: unknown) => {
    abort(transaction);
    throw error;
  });
  const cause = await firstCause([making, transaction.done]);
  if (cause === undefined) return making;
  throw isNamed(cause, 'QuotaExceededError') ? full('This browser gives no more space') : cause;
}

function abort(transaction: FilesTransaction): void {
  try {
    transaction.abort();
  } catch {
    // What made it fail has ended it already.
  }
}

export function full(why: string) {
  return serverError('storage_full', `${why}: delete files, or let them expire.`);
}

/** Whether something could not be stored because there is no space. */
export function isFull(error: unknown): boolean {
  return error instanceof ApiError && error.data.code === 'storage_full';
}
