import { expect, test } from 'vitest';
import { ApiError } from '../../../../src/core/errors/errors.ts';
import {
  MAX_RECORDING_BYTES,
  transcriptionForm,
} from '../../../../sw/transcriptions/transcription-form.ts';

/** A form with a file that claims to have this many bytes. */
function formOf(size: number): FormData {
  const file = new File(['RIFF'], 'a.wav');
  Object.defineProperty(file, 'size', { value: size });
  const form = new FormData();
  form.append('file', file);
  form.append('model', 'm');
  return form;
}

test('a recording may have a gigabyte, and a larger one is a 413 that names the file', () => {
  expect(MAX_RECORDING_BYTES).toBe(2 ** 30);
  for (const task of ['transcribe', 'translate'] as const) {
    expect(transcriptionForm(formOf(MAX_RECORDING_BYTES), task).file.size).toBe(2 ** 30);
    const refuse = () => transcriptionForm(formOf(MAX_RECORDING_BYTES + 1), task);
    expect(refuse).toThrow(ApiError);
    expect(refuse).toThrow(
      expect.objectContaining({
        data: {
          status: 413,
          type: 'invalid_request_error',
          code: 'request_too_large',
          param: 'file',
          message: "'file' is larger than 1073741824 bytes.",
        },
      }),
    );
  }
});
