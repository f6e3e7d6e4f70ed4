import type { AudioFormat } from '../../src/core/operations/jobs/jobs.ts';
import type { JobPart } from '../../src/core/errors/job-fault.ts';
import type { Context } from '../context.ts';
import type { RequestedJob } from '../road/running-job.ts';
import { clientOf, requireSpeechModel } from '../model-access.ts';
import { speechJob } from './speech-job.ts';
import type { SpeechRequest } from './speech-request.ts';

/** The parts of the job that requests name differently. */
const FIELDS: Partial<Record<JobPart, string>> = { text: 'input', audio: 'response_format' };

/** A validated speech request as a job to run. @throws ApiError 400, 403, 404 */
export async function requestedSpeech(
  context: Context,
  body: SpeechRequest,
): Promise<RequestedJob<'speak'> & { contentType: string }> {
  const speech = await requireSpeechModel(context, body.model);
  const job = speechJob(body, speech);
  return {
    job: { ...job, ...clientOf(context.key) },
    contentType: contentType(job.format, speech.sampleRate),
    fieldOf: ({ part, path }) => (FIELDS[part] ?? part) + path,
  };
}

const TYPES: Record<Exclude<AudioFormat, 'pcm'>, string> = {
  wav: 'audio/wav',
  mp3: 'audio/mpeg',
  opus: 'audio/ogg; codecs=opus',
  aac: 'audio/aac',
  flac: 'audio/flac',
};

/** @param sampleRate - hertz; nothing in the bytes of PCM tells it */
function contentType(format: AudioFormat, sampleRate: number): string {
  return format === 'pcm' ? `audio/pcm;rate=${sampleRate}` : TYPES[format];
}
