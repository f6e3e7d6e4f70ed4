import { languageCode } from '../../src/core/files/hearing/languages.ts';
import { invalidRequest, unsupportedValue } from '../../src/core/errors/errors.ts';
import type { JobOf } from '../../src/core/operations/jobs/jobs.ts';
import type { Transcription } from '../../src/core/catalog/catalog-entry.ts';
import type { Context } from '../context.ts';
import { dataFrame, eventStream } from '../http/event-stream.ts';
import { newId } from '../generation/answer/ids.ts';
import { errorBody } from '../http/error-response.ts';
import { jsonAnswer, wholeAnswer } from '../http/json-response.ts';
import type { FieldOf } from '../road/running-job.ts';
import { begin, type RequestedJob, type RunningJob } from '../road/running-job.ts';
import { clientOf, requireModel } from '../model-access.ts';
import { durationUsage, srt, Transcript, verbose, vtt } from './transcript.ts';
import { readTranscriptionForm, type Task, type TranscriptionForm } from './transcription-form.ts';

/** `POST v1/audio/transcriptions` and `POST v1/audio/translations` */
export function transcribing(task: Task): (context: Context) => Promise<Response> {
  return async (context) => {
    const form = await readTranscriptionForm(context.body, task);
    const { transcription } = await requireModel(context, form.model, 'transcription');
    const job = transcribeJob(task, form, transcription, context);
    const requested: RequestedJob<'transcribe'> = { job, fieldOf };
    const { graceMs } = context;
    if (form.stream) return transcriptStream(await begin(context, requested, graceMs.stream));
    if (form.format === 'json' || form.format === 'verbose_json') {
      return jsonAnswer(context, requested, async (running) => {
        const transcript = await wholeTranscript(running);
        if (form.format === 'verbose_json') return verbose(transcript, task, form.granularities);
        return { text: transcript.text, usage: durationUsage(transcript) };
      });
    }
    return wholeAnswer(context, requested, PLAIN, async (running) =>
      plainText(form, await wholeTranscript(running)),
    );
  };
}

function transcribeJob(
  task: Task,
  form: TranscriptionForm,
  { languages, translates, timesWords }: Transcription,
  { key }: Context,
): JobOf<'transcribe'> {
  const { model, file, prompt, temperature, granularities } = form;
  const words = granularities.includes('word');
  if (task === 'translate' && !translates) {
    throw unsupportedValue(`The model '${model}' does not translate.`, 'model');
  }
  if (words && !timesWords) {
    const message = `The model '${model}' does not tell when words are said.`;
    throw unsupportedValue(message, 'timestamp_granularities');
  }
  const language = languageCode(form.language ?? '', languages);
  if (form.language && language === undefined) {
    throw invalidRequest(
      `'language' must be one that '${model}' understands: ${languages.join(', ')}.`,
      'language',
    );
  }
  return {
    op: 'transcribe',
    model,
    audio: file,
    recording: newId('rec_'),
    task,
    ...clientOf(key),
    ...(language !== undefined && { language }),
    ...(prompt !== undefined && { prompt }),
    ...(temperature !== undefined && { temperature }),
    ...(words && { words }),
  };
}

const fieldOf: FieldOf = ({ part }) => {
  if (part === 'recording') return 'file';
  return part === 'words' ? 'timestamp_granularities' : part;
};

const PLAIN = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };

function plainText({ format }: TranscriptionForm, transcript: Transcript): string {
  if (format === 'srt') return srt(transcript);
  return format === 'vtt' ? vtt(transcript) : `${transcript.text}\n`;
}

async function wholeTranscript(running: RunningJob<'transcribe'>): Promise<Transcript> {
  const transcript = new Transcript();
  await running.each((event) => {
    transcript.take(event);
  });
  return transcript;
}

/** The text window by window, as OpenAI's events. */
function transcriptStream(running: RunningJob<'transcribe'>): Response {
  const transcript = new Transcript();
  return eventStream(running, {
    event(event) {
      const delta = transcript.take(event);
      return delta === '' ? '' : dataFrame({ type: 'transcript.text.delta', delta });
    },
    closing() {
      const { text, readTokens, writtenTokens } = transcript;
      const type = 'transcript.text.done';
      return dataFrame({ type, text, usage: usage(readTokens, writtenTokens) });
    },
    failure(data) {
      const error = errorBody(data);
      const { code, message, param } = error;
      // Clients read the fields of OpenAI's event, or those of its errors.
      return dataFrame({ type: 'error', code, message, param, error });
    },
  });
}

/** Usage in tokens. The tokens that the decoder has read count as audio. */
function usage(read: number, written: number): object {
  return {
    type: 'tokens',
    input_tokens: read,
    output_tokens: written,
    total_tokens: read + written,
    input_token_details: { text_tokens: 0, audio_tokens: read },
  };
}
