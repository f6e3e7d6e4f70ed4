import type { Context } from '../context.ts';
import { answerMeta } from '../generation/answer/encoder.ts';
import { answerView, viewOf } from '../generation/request/generation-job.ts';
import { jobFields } from '../generation/request/job-fields.ts';
import { requestedFormat } from '../generation/request/requested-format.ts';
import { respond, writing } from '../generation/answer/respond.ts';
import type { FieldOf } from '../road/running-job.ts';
import { clientOf, requireTextModel } from '../model-access.ts';
import { completionEncoder } from './completion-encoder.ts';
import {
  answersPerPrompt,
  completionJob,
  completionPrompts,
  promptTexts,
  scoresPrompt,
} from './completion-job.ts';
import { completionRequestSchema, type CompletionRequest } from './completion-request.ts';

const KIND = { prefix: 'cmpl', object: 'text_completion' };

/** `POST v1/completions` */
export async function createCompletion(context: Context): Promise<Response> {
  const body = await context.body.parse(completionRequestSchema);
  const [prompt, ...further] = completionPrompts(body);
  const job = { ...completionJob(body, prompt), ...clientOf(context.key) };
  const [entry, device] = await Promise.all([requireTextModel(context, job), context.device()]);
  const perPrompt = answersPerPrompt(body);
  const view = {
    ...answerView(body, { perPrompt, answers: (1 + further.length) * perPrompt }),
    echo: body.echo ? promptTexts(body.prompt) : undefined,
    best: body.n ?? 1,
    logprobs: body.logprobs != null,
    scoresPrompt: scoresPrompt(body),
  };
  return respond(context, {
    job,
    others: further.map((each) => ({ ...job, prompt: each })),
    answers: view.answers,
    work: writing(viewOf(body)),
    stream: body.stream ?? false,
    encoder: completionEncoder(answerMeta(KIND, entry, device), view),
    fieldOf: completionFieldOf(body),
  });
}

function completionFieldOf(body: CompletionRequest): FieldOf {
  const { field, schemaField } = requestedFormat(body);
  return jobFields({
    prompt: 'prompt',
    format: field,
    schema: schemaField,
    tools: (path) => `tools${path}`,
  });
}
