import type { JobPart } from '../../src/core/errors/job-fault.ts';
import type { Context } from '../context.ts';
import type { RequestedJob } from '../road/running-job.ts';
import { clientOf, requireSpeechModel } from '../model-access.ts';
import { contentType } from './content-types.ts';
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
