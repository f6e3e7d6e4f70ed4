import { fileTooLarge, invalidRequest, unsupportedValue } from '../../src/core/errors/errors.ts';
import type { RequestBody } from '../http/request-body.ts';
import type { JobOf } from '../../src/core/operations/jobs/jobs.ts';

export type Task = JobOf<'transcribe'>['task'];

/** The formats as OpenAI's API names them. */
const FORMATS = ['json', 'text', 'srt', 'verbose_json', 'vtt'] as const;
export type TranscriptFormat = (typeof FORMATS)[number];

/** A recording may have at most this many bytes. It is never in memory as a whole. */
export const MAX_RECORDING_BYTES = 1024 ** 3;

/** Fields that would change what is written, in a way that no local model supports. */
const REFUSED = [
  'include',
  'languages',
  'keywords',
  'known_speaker_names',
  'known_speaker_references',
];

/** Fields that translations do not have: they are from any language. */
const NOT_OF_TRANSLATIONS = ['language', 'timestamp_granularities'];

/** The fields of a form, checked; what depends on the model is not. */
export interface TranscriptionForm {
  file: Blob;
  model: string;
  language: string | undefined;
  prompt: string | undefined;
  temperature: number | undefined;
  format: TranscriptFormat;
  granularities: string[];
  stream: boolean;
}

/** @throws ApiError 400 with the name of the first offending field, 413 for a file over the limit */
export async function readTranscriptionForm(
  body: RequestBody,
  task: Task,
): Promise<TranscriptionForm> {
  const form = await body.form().catch(() => {
    throw invalidRequest('The request body must be multipart/form-data with a file.');
  });
  return transcriptionForm(form, task);
}

/** Like `readTranscriptionForm`, for a form that has already been read. */
export function transcriptionForm(form: FormData, task: Task): TranscriptionForm {
  const text = (name: string) => textOf(form, name);
  const file = form.get('file');
  if (file === null) throw invalidRequest("'file' is required.", 'file');
  if (typeof file === 'string') throw invalidRequest("'file' must be a file.", 'file');
  if (file.size > MAX_RECORDING_BYTES) throw fileTooLarge('file', MAX_RECORDING_BYTES);
  const model = text('model');
  if (model === undefined) throw invalidRequest("'model' is required.", 'model');
  refuseUnsupported(form);
  const format = formatOf(text('response_format'));
  const granularities = [...allOf(form, 'timestamp_granularities')];
  checkGranularities(granularities, format);
  const stream = flagOf(text('stream'));
  if (task === 'translate') refuseForTranslation(form, stream);
  if (stream && format !== 'json' && format !== 'text') {
    throw unsupportedValue("A stream needs the 'response_format' json or text.", 'response_format');
  }
  return {
    file,
    model,
    format,
    granularities,
    stream,
    language: text('language'),
    prompt: text('prompt'),
    temperature: temperatureOf(text('temperature')),
  };
}

/** The text of a field; undefined: the field is absent or empty. @throws ApiError 400 if it is a file */
function textOf(form: FormData, name: string): string | undefined {
  const value = form.get(name);
  if (value !== null && typeof value !== 'string') {
    throw invalidRequest(`'${name}' must be text.`, name);
  }
  return value || undefined;
}

/** Clients write lists with and without brackets. */
function* allOf(form: FormData, name: string): Generator<string> {
  for (const each of [name, `${name}[]`]) {
    for (const value of form.getAll(each)) if (typeof value === 'string') yield value;
  }
}

function refuseUnsupported(form: FormData): void {
  const refused = REFUSED.find((name) => has(form, name));
  if (refused) throw unsupportedValue(`'${refused}' is not supported.`, refused);
}

function refuseForTranslation(form: FormData, stream: boolean): void {
  const refused = NOT_OF_TRANSLATIONS.find((name) => has(form, name)) ?? (stream && 'stream');
  if (refused) throw unsupportedValue(`Translations have no '${refused}'.`, refused);
}

function has(form: FormData, name: string): boolean {
  return form.has(name) || form.has(`${name}[]`);
}

function formatOf(asked = 'json'): TranscriptFormat {
  const format = FORMATS.find((known) => known === asked);
  if (format) return format;
  throw unsupportedValue(
    `'response_format' must be one of ${FORMATS.join(', ')}.`,
    'response_format',
  );
}

function checkGranularities(granularities: readonly string[], format: TranscriptFormat): void {
  const param = 'timestamp_granularities';
  if (granularities.some((each) => each !== 'word' && each !== 'segment')) {
    throw invalidRequest(`'${param}' must be word or segment.`, param);
  }
  if (granularities.length > 0 && format !== 'verbose_json') {
    throw invalidRequest(`'${param}' needs the 'response_format' verbose_json.`, param);
  }
}

function temperatureOf(asked: string | undefined): number | undefined {
  if (asked === undefined || asked === '') return undefined;
  const temperature = Number(asked);
  if (temperature >= 0 && temperature <= 1) return temperature;
  throw invalidRequest("'temperature' must be between 0 and 1.", 'temperature');
}

function flagOf(asked = 'false'): boolean {
  if (asked === 'true' || asked === 'false') return asked === 'true';
  throw invalidRequest("'stream' must be true or false.", 'stream');
}
