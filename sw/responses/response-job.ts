import type { GenerateJob, RequestedImage } from '../../src/core/operations/jobs/jobs.ts';
import { answerFormat } from '../generation/request/answer-format.ts';
import { generationJob, refuse, templateOptions } from '../generation/request/generation-job.ts';
import { promptCaching } from '../generation/request/prompt-caching.ts';
import { itemMessages, type PlacedItem } from './response-items.ts';
import { tokenLimit } from '../generation/request/generation-request.ts';
import type { Passage } from './file-search/file-search-request.ts';
import type { ServerItems } from './mcp/mcp-items.ts';
import type { ResponseRequest } from './response-request.ts';
import { responseTools } from './response-tools.ts';

/** The field of a format's JSON Schema. */
export const SCHEMA_FIELD = 'text.format.schema';

/**
 * A validated request as the engine's job.
 *
 * @param items - the whole input, with what was kept of earlier answers
 * @param images - the images of the items are added to these
 * @param passages - the results of the items' searches are added to these
 * @param servers - the items about servers are added to these
 * @throws ApiError 400 for what this server cannot honour
 */
export function responseJob(
  request: ResponseRequest,
  items: readonly PlacedItem[],
  images: RequestedImage[],
  passages?: Passage[],
  servers?: ServerItems,
): GenerateJob {
  refuseUnsupported(request);
  const format = answerFormat(request.text?.format, SCHEMA_FIELD);
  const tools = responseTools(request);
  const { reasoning, chat_template_kwargs } = request;
  const maxTokens = tokenLimit(request.max_output_tokens);
  return {
    ...generationJob(request),
    ...promptCaching(request),
    prompt: {
      kind: 'chat',
      messages: itemMessages(request.instructions, items, images, passages, servers),
      templateOptions: templateOptions(reasoning?.effort, chat_template_kwargs),
      ...(request.truncation === 'auto' && { dropsOldest: true }),
    },
    ...(maxTokens !== undefined && { maxTokens }),
    ...(wantsLogprobs(request) && { topLogprobs: request.top_logprobs ?? 0 }),
    ...(format && { format }),
    ...(tools && { tools }),
  };
}

function wantsLogprobs({ include, top_logprobs }: ResponseRequest): boolean {
  return (top_logprobs ?? 0) > 0 || (include ?? []).includes('message.output_text.logprobs');
}

function refuseUnsupported(request: ResponseRequest): void {
  refuse(request.background === true, 'background');
  refuse(request.prompt != null, 'prompt');
  refuse(request.moderation != null, 'moderation');
}
