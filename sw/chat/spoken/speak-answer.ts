import { ApiError, unsupportedValue } from '../../../src/core/errors/errors.ts';
import type { EventOf, GenerateEvent } from '../../../src/core/operations/events/events.ts';
import type { SpeakJob } from '../../../src/core/operations/jobs/jobs.ts';
import { newId, unixSeconds } from '../../generation/answer/ids.ts';
import {
  runJob,
  type FieldOf,
  type JobContext,
  type Sink,
  type Work,
} from '../../road/running-job.ts';
import type { AskedSpeech } from './asked-speech.ts';
import { TRANSCRIPT_LIVES, type Transcripts } from './transcripts.ts';

type Bytes = Uint8Array<ArrayBuffer>;
type Finish = Extract<GenerateEvent, { type: 'finish' }>;

/** The sound of an answer: pieces of its file, and the end with the header that replaces the file's first bytes. */
export type SoundEvent = { type: 'sound'; bytes: Bytes } | { type: 'said'; header: Bytes };

/** What a spoken chat reports: the events of its text, of which the last one comes after the sound. */
export type SpokenEvent = GenerateEvent | SoundEvent;

/** The sound of an answer as the API names it. */
export interface AnswerAudio {
  id: string;
  /** Unix seconds. */
  expiresAt: number;
}

export function newAudio(): AnswerAudio {
  return { id: newId('audio_'), expiresAt: unixSeconds() + TRANSCRIPT_LIVES };
}

/** A text without letters and digits has no sound. */
const HAS_SOUND = /[\p{L}\p{N}]/u;

/** The fields that a fault in the speech is about. The text is the model's, so the voice is to blame. */
const fieldOf: FieldOf = ({ part }) => (part === 'audio' ? 'audio.format' : 'audio.voice');

/**
 * Writes an answer, speaks it, and keeps what it says. Calls are not spoken.
 *
 * @param write - writes the answer
 */
export function speakAnswer(
  write: Work<'generate', GenerateEvent>,
  speech: AskedSpeech,
  audio: AnswerAudio,
  transcripts: Transcripts,
): Work<'generate', SpokenEvent> {
  return async (context, requested, sink) => {
    let transcript = '';
    let end: Finish | undefined;
    await write(context, requested, {
      take: (event) => {
        if (event.type === 'text') transcript += event.text;
        if (event.type !== 'finish') return sink.take(event);
        end = event;
      },
    });
    if (HAS_SOUND.test(transcript)) await speak(context, { ...speech, text: transcript }, sink);
    if (transcript !== '') {
      await transcripts.keep(audio.id, { transcript, expiresAt: audio.expiresAt });
    }
    if (end) await sink.take(end);
  };
}

async function speak(context: JobContext, job: SpeakJob, sink: Sink<SoundEvent>): Promise<void> {
  const take = (event: EventOf<'speak'>) =>
    sink.take(
      event.type === 'audio'
        ? { type: 'sound', bytes: event.bytes }
        : { type: 'said', header: event.header },
    );
  try {
    // The request is reported as one for the model that writes.
    await runJob({ ...context, report: undefined }, { job, fieldOf }, { take });
  } catch (error) {
    throw ofVoice(error);
  }
}

/** A fault in the text is not the request's: the voice cannot speak what the model wrote. */
function ofVoice(error: unknown): unknown {
  if (!(error instanceof ApiError) || error.data.param !== 'audio.voice') return error;
  const message = error.data.message.replace("'audio.voice'", 'The answer');
  return unsupportedValue(message, 'audio.voice');
}
