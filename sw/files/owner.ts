import { refusal } from '../../src/core/errors/errors.ts';
import type { FilesRequest } from '../../src/core/operations/jobs/file-jobs.ts';
import type { Context } from '../context.ts';

/** What every job about stored files says of the client. @throws ApiError 403 if the site does not keep files */
export function ownerOf({ key }: Context): Omit<FilesRequest, 'action'> {
  const { files } = key;
  if (files) {
    const { owner = key.id, maxBytes } = files;
    return { owner, ...(maxBytes !== undefined && { maxBytes }) };
  }
  const message = 'This site stores no files: start({ files: true }) lets it.';
  throw refusal(403, message, 'files_not_enabled');
}
