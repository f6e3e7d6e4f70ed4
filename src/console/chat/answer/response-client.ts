import { member } from '../../json.ts';
import { list, number, text } from '../conversation/files/values.ts';
import type { Citation, Source } from '../library/sources.ts';
import { stepOf } from '../servers/server-step.ts';
import type { Turn } from '../conversation/conversation.ts';
import { samplingFields, settingFields, type AnswerEvent, type Question } from './api-client.ts';
import { chunksOf, post, type ApiAccess } from './api-request.ts';
import { inputOf } from './response-input.ts';

/** A server that the model may call, as the API's tool names it. */
export interface OfferedServer {
  label: string;
  url: string;
  /** Sent to the server as a bearer token; empty: none. */
  token: string;
}

/** A question that stored files or servers may help to answer. */
export interface HelpedQuestion extends Omit<Question, 'messages'> {
  turns: readonly Turn[];
  /** Whether the model is shown pictures. */
  sees: boolean;
  /** Ids of the vector stores that are searched. */
  stores: readonly string[];
  servers: readonly OfferedServer[];
}

/**
 * Asks the Responses API, whose tools search files and call servers, and yields the answer's events. Throws a
 * RequestError, what `fetch` throws, and the signal's reason.
 */
export async function* streamResponse(
  api: ApiAccess,
  question: HelpedQuestion,
  signal: AbortSignal,
): AsyncGenerator<AnswerEvent> {
  const response = await post(api, '/responses', requestBody(question), signal);
  /** The places of calls among all items. */
  const calls: number[] = [];
  for await (const event of chunksOf(response)) {
    yield* answerEvents(event, calls);
    // An aborted answer must not look complete.
    signal.throwIfAborted();
    if (isEnd(event)) return;
  }
}

function requestBody(question: HelpedQuestion) {
  const { model, turns, settings, sees, stores, servers } = question;
  const { max_completion_tokens, reasoning_effort, response_format, tools, ...fields } =
    settingFields(settings);
  const schema = response_format?.json_schema;
  return {
    model,
    input: inputOf(turns, settings, sees),
    stream: true,
    // The chat is the console's own, and all of it is sent each time.
    store: false,
    ...samplingFields(question),
    ...fields,
    ...(max_completion_tokens !== undefined && { max_output_tokens: max_completion_tokens }),
    ...(reasoning_effort !== undefined && { reasoning: { effort: reasoning_effort } }),
    ...(schema && { text: { format: { type: 'json_schema', ...schema } } }),
    ...(settings.dropsOldest && { truncation: 'auto' }),
    include: ['file_search_call.results'],
    tools: [
      ...(stores.length === 0 ? [] : [{ type: 'file_search', vector_store_ids: stores }]),
      ...servers.map(serverTool),
      ...list(tools).map(flatTool),
    ],
  };
}

function serverTool({ label, url, token }: OfferedServer) {
  return {
    type: 'mcp',
    server_label: label,
    server_url: url,
    require_approval: 'always',
    ...(token !== '' && { authorization: token }),
  };
}

/** A tool of the chat API as one of the Responses API, where a function's fields stand beside its type. */
function flatTool(tool: unknown): object {
  const called = member(tool, 'function');
  return { type: 'function', ...(typeof called === 'object' && called) };
}

function* answerEvents(event: unknown, calls: number[]): Generator<AnswerEvent, void, undefined> {
  const delta = text(member(event, 'delta'));
  const item = member(event, 'item');
  const place = number(member(event, 'output_index'));
  switch (member(event, 'type')) {
    case 'response.output_text.delta':
      return yield { type: 'text', text: delta };
    case 'response.reasoning_summary_text.delta':
    case 'response.reasoning_text.delta':
      return yield { type: 'reasoning', text: delta };
    case 'response.output_text.annotation.added':
      return yield { type: 'cited', citation: citationOf(member(event, 'annotation')) };
    case 'response.output_item.added':
      if (member(item, 'type') !== 'function_call') return;
      return yield {
        type: 'tool',
        index: calls.push(place) - 1,
        id: text(member(item, 'call_id')),
        name: text(member(item, 'name')),
        arguments: '',
      };
    case 'response.function_call_arguments.delta':
      return yield {
        type: 'tool',
        index: calls.indexOf(place),
        id: '',
        name: '',
        arguments: delta,
      };
    case 'response.output_item.done': {
      const step = stepOf(item);
      if (step) yield { type: 'step', step };
      const results = member(item, 'results');
      if (Array.isArray(results)) yield { type: 'found', sources: results.map(sourceOf) };
      return;
    }
    case 'response.completed':
    case 'response.incomplete':
      return yield* endOf(member(event, 'response'));
  }
}

function* endOf(response: unknown): Generator<AnswerEvent, void, undefined> {
  const usage = member(response, 'usage');
  const details = member(usage, 'input_tokens_details');
  const figures = {
    promptTokens: number(member(usage, 'input_tokens')),
    completionTokens: number(member(usage, 'output_tokens')),
    cachedTokens: number(member(details, 'cached_tokens')),
  };
  yield { type: 'usage', usage: figures };
  const isCut = member(response, 'status') === 'incomplete';
  yield { type: 'finish', reason: isCut ? 'length' : 'stop' };
}

function isEnd(event: unknown): boolean {
  return /^response\.(?:completed|incomplete)$/.test(text(member(event, 'type')));
}

function sourceOf(result: unknown): Source {
  return { file: text(member(result, 'filename')), text: text(member(result, 'text')) };
}

function citationOf(annotation: unknown): Citation {
  return {
    at: number(member(annotation, 'index')),
    file: text(member(annotation, 'filename')),
  };
}
