import { fileTooLarge, invalidRequest, unsupportedValue } from '../../src/core/errors/errors.ts';
import type { FilePurpose, NewFile } from '../../src/core/operations/jobs/file-jobs.ts';
import { newId } from '../generation/answer/ids.ts';

/** Most bytes of a file. */
const MAX_FILE_BYTES = 64 * 1024 ** 2;

const PURPOSES: readonly FilePurpose[] = ['assistants', 'user_data', 'vision'];
/** Purposes of other services of OpenAI's. */
const REFUSED = ['batch', 'fine-tune', 'evals'];

/** Limits of `expires_after[seconds]`: an hour and 30 days. */
const [LEAST_SECONDS, MOST_SECONDS] = [3_600, 2_592_000];

/** The file of a form. @throws ApiError 400 with the name of the first offending field, 413 */
export function newFile(form: FormData): NewFile {
  const content = form.get('file');
  if (content === null) throw invalidRequest("'file' is required.", 'file');
  if (typeof content === 'string') throw invalidRequest("'file' must be a file.", 'file');
  if (content.size === 0) throw invalidRequest("'file' must not be empty.", 'file');
  if (content.size > MAX_FILE_BYTES) throw fileTooLarge('file', MAX_FILE_BYTES);
  const purpose = purposeOf(form.get('purpose'));
  const expiresAfter = secondsOf(form);
  return {
    id: newId('file-'),
    filename: content.name || 'blob',
    purpose,
    content,
    ...(expiresAfter !== undefined && { expiresAfter }),
  };
}

function purposeOf(given: FormDataEntryValue | null): FilePurpose {
  if (given === null) throw invalidRequest("'purpose' is required.", 'purpose');
  const purpose = PURPOSES.find((known) => known === given);
  if (purpose) return purpose;
  if (typeof given === 'string' && REFUSED.includes(given)) {
    const why = given === 'batch' ? 'Send the requests one by one: the queue is fair.' : '';
    throw unsupportedValue(`Files for '${given}' are not supported. ${why}`.trim(), 'purpose');
  }
  throw invalidRequest(`'purpose' must be one of ${PURPOSES.join(', ')}.`, 'purpose');
}

function secondsOf(form: FormData): number | undefined {
  const [anchorField, secondsField] = ['expires_after[anchor]', 'expires_after[seconds]'];
  const [anchor, given] = [form.get(anchorField), form.get(secondsField)];
  if (anchor === null && given === null) return undefined;
  if (anchor !== 'created_at') {
    throw invalidRequest(`'${anchorField}' must be created_at.`, anchorField);
  }
  const seconds = typeof given === 'string' && /^\d+$/.test(given) ? Number(given) : 0;
  if (seconds >= LEAST_SECONDS && seconds <= MOST_SECONDS) return seconds;
  const range = `an integer between ${LEAST_SECONDS} and ${MOST_SECONDS}`;
  throw invalidRequest(`'${secondsField}' must be ${range}.`, secondsField);
}
