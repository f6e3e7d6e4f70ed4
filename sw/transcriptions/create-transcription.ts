import { languageCode } from '../../src/core/files/hearing/languages.ts';
import { invalidRequest, toErrorData, unsupportedValue } from '../../src/core/errors/errors.ts';
import type { JobOf } from '../../src/core/operations/jobs.ts';
import type { Transcription } from '../../src/core/catalog/catalog-entry.ts';
import type { Context } from '../context.ts';
import { dataFrame, eventResponse } from '../generation/event-stream.ts';
import { newId } from '../generation/ids.ts';
import { textStream } from '../http/byte-stream.ts';
import { errorBody } from '../http/error-response.ts';
import { jsonAnswer } from '../http/json-answer.ts';
import type { FieldOf } from '../http/request-fields.ts';
import { begin, GRACE_MS, type RequestedJob, type RunningJob } from '../http/running-job.ts';
import { clientOf, requireModel } from '../model-access.ts';
import { durationUsage, srt, Transcript, verbose, vtt } from './transcript.ts';
import { readTranscriptionForm, type Task, type TranscriptionForm } from './transcription-form.ts';

/** `POST v1/audio/transcriptions` and `POST v1/audio/translations` */
export function transcribing(task: Task): (context: Context) => Promise<Response> {
  return async (context) => {
    const form = await readTranscriptionForm(context.request, task);
    const { transcription } = await requireModel(context, form.model, 'transcription');
    const job = transcribeJob(task, form, transcription, context);
    const requested: RequestedJob<'transcribe'> = { engine: context.engine, job, fieldOf };
    const grace = context.graceMs ?? GRACE_MS;
    if (form.stream) return transcriptStream(await begin(requested, grace.stream));
    if (form.format === 'json' || form.format === 'verbose_json') {
      return jsonAnswer({ ...requested, graceMs: grace }, async (events) => {
        const transcript = new Transcript();
        for await (const event of events) transcript.take(event);
        if (form.format === 'verbose_json') return verbose(transcript, task, form.granularities);
        return { text: transcript.text, usage: durationUsage(transcript) };
      });
    }
    return plainAnswer(form, await begin(requested, grace.json));
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

/** Text, as it is. Its end is that of the recording, and a failure errors the body. */
function plainAnswer(
  { format }: TranscriptionForm,
  { events, cancel }: RunningJob<'transcribe'>,
): Response {
  const body = textStream(async () => {
    const transcript = new Transcript();
    for await (const event of events) transcript.take(event);
    if (format === 'srt') return srt(transcript);
    return format === 'vtt' ? vtt(transcript) : `${transcript.text}\n`;
  }, cancel);
  return new Response(body, {
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  });
}

/** The text window by window, as OpenAI's events. */
function transcriptStream({ events, cancel }: RunningJob<'transcribe'>): Response {
  const body = textStream(async (write) => {
    const transcript = new Transcript();
    try {
      for await (const event of events) {
        const delta = transcript.take(event);
        if (delta !== '') await write(dataFrame({ type: 'transcript.text.delta', delta }));
      }
    } catch (error) {
      const failure = errorBody(toErrorData(error));
      const { code, message, param } = failure;
      // Clients read the fields of OpenAI's event, or those of its errors.
      return dataFrame({ type: 'error', code, message, param, error: failure });
    }
    const { text, readTokens, writtenTokens } = transcript;
    return dataFrame({
      type: 'transcript.text.done',
      text,
      usage: usage(readTokens, writtenTokens),
    });
  }, cancel);
  return eventResponse(body);
}

/** What the decoder has read stands for the sound. */
function usage(read: number, written: number): object {
  return {
    type: 'tokens',
    input_tokens: read,
    output_tokens: written,
    total_tokens: read + written,
    input_token_details: { text_tokens: 0, audio_tokens: read },
  };
}
