import { ApiError, invalidRequest } from '../../src/core/errors/errors.ts';
import type { GenerateJob, RequestedImage } from '../../src/core/operations/jobs/jobs.ts';
import { answerFormat } from '../generation/request/answer-format.ts';
import { generationJob, refuse, templateOptions } from '../generation/request/generation-job.ts';
import type { CountRequest, MessageRequest } from './message-request.ts';
import { messageTools } from './message-tools.ts';
import { turnMessages } from './message-turns.ts';

/** The field of the format. `output_format` is its name in the beta. */
export function formatField({ output_format }: CountRequest): string {
  return output_format == null ? 'output_config.format' : 'output_format';
}

/**
 * A validated request as the engine's job.
 *
 * @param images - the images of the messages are added to these
 * @throws ApiError 400 for what this server cannot honour
 */
export function messageJob(request: MessageRequest, images: RequestedImage[]): GenerateJob {
  const { stop_sequences: stop, thinking, max_tokens: maxTokens } = request;
  const job = countedJob({ ...request, stop }, images);
  const budget = thinking?.budget_tokens;
  return { ...job, maxTokens, ...(budget != null && { maxThinkingTokens: budget }) };
}

/** The part of a request whose tokens are counted. @throws as messageJob */
export function countedJob(
  request: CountRequest & Pick<Parameters<typeof generationJob>[0], 'stop'>,
  images: RequestedImage[],
): GenerateJob {
  refuseUnsupported(request);
  if (request.output_format != null && request.output_config?.format != null) {
    const message = "'output_format' cannot be used together with 'output_config.format'.";
    throw invalidRequest(message, 'output_format');
  }
  const format = answerFormat(
    request.output_format ?? request.output_config?.format,
    `${formatField(request)}.schema`,
  );
  const tools = messageTools(request);
  const messages = turnMessages(request, images);
  const continuesFinal = messages.at(-1)?.role === 'assistant';
  if (continuesFinal && (format || (tools && tools.choice !== 'auto' && tools.choice !== 'none'))) {
    const message = 'An answer that is begun cannot be held to a format or to tools.';
    throw invalidRequest(message, 'messages');
  }
  return {
    ...generationJob(request),
    prompt: {
      kind: 'chat',
      messages,
      templateOptions: thinkingOptions(request),
      ...(continuesFinal && { continuesFinal }),
    },
    ...(format && { format }),
    ...(tools && { tools }),
  };
}

function thinkingOptions({ thinking, output_config: config }: CountRequest) {
  const options = templateOptions(config?.effort, undefined);
  return thinking ? { ...options, enable_thinking: thinking.type !== 'disabled' } : options;
}

function refuseUnsupported(request: CountRequest): void {
  if (request.thread != null) throw noThreads();
  refuse((request.mcp_servers ?? []).length > 0, 'mcp_servers');
  refuse(request.container != null, 'container');
}

/** With this code, Anthropic's package sends the whole conversation instead. */
function noThreads(): ApiError {
  const { data } = invalidRequest("'thread' is not supported.", 'thread', 'unsupported_value');
  return new ApiError({ ...data, details: { error_code: 'thread_unsupported_request' } });
}
