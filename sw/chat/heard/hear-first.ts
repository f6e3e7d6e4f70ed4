import { invalidRequest } from '../../../src/core/errors/errors.ts';
import type { GenerateEvent } from '../../../src/core/operations/events/events.ts';
import type { GenerateJob, JobOf } from '../../../src/core/operations/jobs/jobs.ts';
import type { Context } from '../../context.ts';
import { newId } from '../../generation/answer/ids.ts';
import { clientOf, requireModel } from '../../model-access.ts';
import { runJob, type JobContext, type Work } from '../../road/running-job.ts';
import { Transcript } from '../../transcriptions/transcript.ts';
import type { RequestedSound } from '../../generation/request/requested-sound.ts';

/** Seconds: a longer recording is for `/audio/transcriptions`. */
const LONGEST = 600;

/** Writes down what is said, in the model's words for a recording. */
export type Recogniser = Omit<JobOf<'transcribe'>, 'audio' | 'recording'>;

/** The model that writes down recordings for this key. @throws ApiError as requireModel */
export async function recogniserOf(
  access: Pick<Context, 'catalog' | 'key'>,
  model: string,
): Promise<Recogniser> {
  await requireModel(access, model, 'transcription');
  return { op: 'transcribe', model, task: 'transcribe', ...clientOf(access.key) };
}

/** Writes down the recordings of a prompt, and has the model answer to what is said in them. */
export function hearFirst<E>(
  recogniser: Recogniser,
  sounds: readonly RequestedSound[],
  work: Work<'generate', E>,
): Work<'generate', E> {
  return async (context, requested, sink) => {
    const heard = new Map<string, string>();
    for (const sound of sounds)
      heard.set(sound.mark, await transcriptOf(context, recogniser, sound));
    await work(context, { ...requested, job: withTranscripts(requested.job, heard) }, sink);
  };
}

/** The usage of an answer to recordings: their transcripts are text, and no token is of sound. */
export function countingSound(
  work: Work<'generate', GenerateEvent>,
): Work<'generate', GenerateEvent> {
  return (context, requested, sink) =>
    work(context, requested, {
      take: (event) =>
        sink.take(
          event.type === 'finish' ? { ...event, usage: { ...event.usage, audioTokens: 0 } } : event,
        ),
    });
}

async function transcriptOf(
  context: JobContext,
  recogniser: Recogniser,
  { file, field }: RequestedSound,
): Promise<string> {
  const transcript = new Transcript();
  const job = { ...recogniser, audio: file, recording: newId('rec_') };
  // The request is reported as one for the model that answers.
  await runJob(
    { ...context, report: undefined },
    { job, fieldOf: () => field },
    {
      take: (event) => {
        transcript.take(event);
        if (event.type === 'heard' && event.until > LONGEST) throw tooLong(field);
      },
    },
  );
  return transcript.text.trim();
}

function tooLong(field: string): Error {
  const message = `'${field}' is longer than ${LONGEST / 60} minutes.`;
  return invalidRequest(message, field);
}

function withTranscripts(job: GenerateJob, heard: ReadonlyMap<string, string>): GenerateJob {
  const { prompt } = job;
  if (prompt.kind !== 'chat') return job;
  const told = (content: string) =>
    [...heard].reduce(
      (all, [mark, transcript]) =>
        all.replace(mark, () => `<transcript>${transcript}</transcript>`),
      content,
    );
  const messages = prompt.messages.map((message) => ({
    ...message,
    content: told(message.content),
  }));
  return { ...job, prompt: { ...prompt, messages } };
}
