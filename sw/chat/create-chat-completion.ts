import type { Context } from '../context.ts';
import { answerWithCount, tokensOf } from '../generation/count-tokens.ts';
import { answerMeta } from '../generation/answer/encoder.ts';
import { answerView, viewOf } from '../generation/request/generation-job.ts';
import { chatGeneration } from '../generation/request/chat-generation.ts';
import { jobFields } from '../generation/request/job-fields.ts';
import { leftOut } from '../generation/request/left-out.ts';
import { requestedFormat } from '../generation/request/requested-format.ts';
import { functionPlaces } from '../generation/request/tool-offer.ts';
import { respond, writing } from '../generation/answer/respond.ts';
import type { FieldOf, RequestedJob, Work } from '../road/running-job.ts';
import { chatEncoder } from './chat-encoder.ts';
import { chatJob } from './chat-job.ts';
import { hidesReasoning } from './chat-reasoning.ts';
import { chatRequestSchema, type ChatRequest } from './chat-request.ts';
import { countingSound, hearFirst, recogniserOf } from './heard/hear-first.ts';
import type { RequestedSound } from '../generation/request/requested-sound.ts';
import { askedSpeech, spokenAudio } from './spoken/asked-speech.ts';
import { newAudio, speakAnswer } from './spoken/speak-answer.ts';
import { Transcripts } from './spoken/transcripts.ts';

const KIND = { prefix: 'chatcmpl', object: 'chat.completion' };

/** `POST v1/chat/completions` */
export async function createChatCompletion(context: Context): Promise<Response> {
  const { hear } = context.key;
  const transcripts = transcriptsOf(context);
  const sounds: RequestedSound[] = [];
  const body = await toldRequest(await context.body.parse(chatRequestSchema), transcripts);
  const [{ job, entry }, device] = await Promise.all([
    chatGeneration(context, (images) =>
      chatJob(body, images, hear === undefined ? undefined : sounds),
    ),
    context.device(),
  ]);
  const recogniser =
    hear === undefined || sounds.length === 0 ? undefined : await recogniserOf(context, hear);
  const answers = body.n ?? 1;
  const meta = answerMeta(KIND, entry, device);
  const view = {
    ...answerView(body, { perPrompt: answers, answers }),
    logprobs: body.logprobs ?? false,
    isPredicted: body.prediction != null,
  };
  const requested = {
    job,
    answers,
    stream: body.stream ?? false,
    fieldOf: chatFieldOf(body),
    ignored: leftOut(body),
  };
  const heard = <E>(work: Work<'generate', E>) =>
    recogniser ? hearFirst(recogniser, sounds, work) : work;
  const seen = writing(viewOf(body, hidesReasoning(body)));
  const write = recogniser ? countingSound(seen) : seen;
  const spoken = spokenAudio(body, job.format !== undefined);
  if (!spoken) {
    return respond(context, { ...requested, work: heard(write), encoder: chatEncoder(meta, view) });
  }
  const audio = newAudio();
  const work = heard(speakAnswer(write, await askedSpeech(context, spoken), audio, transcripts));
  return respond(context, { ...requested, work, encoder: chatEncoder(meta, { ...view, audio }) });
}

/** The job that counts the tokens of a request's prompt. */
export async function chatTokens(context: Context): Promise<RequestedJob<'tokens'>> {
  const body = await context.body.parse(chatRequestSchema);
  return tokensOfChat(context, await toldRequest(body, transcriptsOf(context)));
}

/** The job that counts the tokens of a chat's prompt. @throws ApiError 400, 404 */
export async function tokensOfChat(
  context: Context,
  body: ChatRequest,
): Promise<RequestedJob<'tokens'>> {
  const { job } = await chatGeneration(context, (images) => chatJob(body, images));
  return tokensOf(job, chatFieldOf(body));
}

/** `POST v1/chat/completions/input_tokens` */
export async function countChatTokens(context: Context): Promise<Response> {
  return answerWithCount(context, await chatTokens(context), (input_tokens) => ({
    object: 'response.input_tokens',
    input_tokens,
  }));
}

/** Where the parts of the job are in a chat request. */
function chatFieldOf(request: ChatRequest): FieldOf {
  const { field, schemaField } = requestedFormat(request);
  const fields = {
    prompt: 'messages',
    format: field,
    schema: schemaField,
    // In a request each tool is wrapped in `function`.
    tools: (path: string) => `tools${path.replace(/^\[\d+\]/, '$&.function')}`,
  };
  return jobFields(fields, functionPlaces(request.tools));
}

function transcriptsOf({ engine, key }: Context): Transcripts {
  return new Transcripts(engine, key.id);
}

/** The request with the text of earlier spoken answers in place of their ids. @throws ApiError 400 */
async function toldRequest(body: ChatRequest, transcripts: Transcripts): Promise<ChatRequest> {
  return { ...body, messages: await transcripts.told(body.messages) };
}
